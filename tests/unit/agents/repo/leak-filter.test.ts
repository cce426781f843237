import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type CompetitionNames, findLeak } from "../../../../src/agents/repo/leak-filter.ts";
import { mapRepository } from "../../../../src/repositories/map/repository-map.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const NAMES: CompetitionNames = {
  id: "dog-breed-identification",
  title: "Dog Breed Identification",
  sampleHeader: ["id", "affenpinscher", "afghan_hound"],
  kernels: ["someone/keras-starter-for-breeds"],
};

async function leakOf(files: Record<string, string>, names = NAMES) {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries({ "main.py": "x = 1\n", ...files })) writeText(root, name, text);
  return findLeak(await mapRepository(root), names);
}

describe("the leak filter drops every planted solution of the competition", () => {
  it.each([
    ["slug", { "README.md": "Solution of dog-breed-identification." }],
    ["slug", { "dog_breed_identification/train.py": "x = 1\n" }],
    ["slug", { "main.py": 'DATA = "../input/dog-breed-identification/train.csv"\n' }],
    ["slug", { "run.sh": "kaggle competitions download -c dog-breed-identification\n" }],
    ["kaggle address", { "README.md": "See https://www.kaggle.com/c/dog-breed-identification/overview" }],
    [
      "kaggle address",
      { "a.ipynb": '{"cells": [], "x": "kaggle.com/competitions/Dog-Breed-Identification"}' },
    ],
    ["title", { "README.md": "# My Dog Breed Identification\n\n3rd place" }],
    ["title", { "notes.txt": "DOG BREED: identification of 120 breeds" }],
    ["listed kernel", { "README.md": "A fork of someone/keras-starter-for-breeds." }],
    // Where a map does not look, and in what it does not parse.
    ["slug", { ".ipynb_checkpoints/a-checkpoint.ipynb": "input/dog-breed-identification" }],
    ["slug", { ".github/workflows/run.yml": "kaggle competitions download -c dog-breed-identification" }],
    ["slug", { "node_modules/x/index.ts": "// dog-breed-identification" }],
    ["slug", { Makefile: "data:\n\tkaggle competitions download -c dog-breed-identification\n" }],
    ["slug", { "train.jl": "# dog_breed_identification" }],
    ["slug", { "big.ipynb": `{"cells": "${"iVBORw0KGgo".repeat(300_000)} dog-breed-identification"}` }],
    ["listed kernel", { "a.txt": "https://www.kaggle.com/Someone/keras-starter-for-breeds/notebook" }],
    ["submission file", { "out/submission_7.csv": "id,affenpinscher,afghan_hound\na,0.5,0.5\n" }],
    ["submission file", { "best.csv": `id,affenpinscher,afghan_hound\n${"a,0.5,0.5\n".repeat(200)}` }],
  ] as const)("by %s: %j", async (rule, files) => {
    expect((await leakOf(files))?.rule).toBe(rule);
  });
});

it("what cannot be searched drops a repository, however many links stand before it", () => {
  for (const odd of [`${"z/".repeat(30)}a.py`, "z\nz/a.py"]) {
    const root = temporaryFolder();
    for (let i = 0; i < 250; i++) fs.symlinkSync("nowhere", path.join(root, `link-${i}`));
    expect(findLeak({ root, name: "x" }, NAMES)).toBeNull();
    writeText(root, odd, "x = 1\n");
    expect(findLeak({ root, name: "x" }, NAMES)?.rule).toBe("not to be searched");
  }
});

describe("the leak filter drops no general library", () => {
  it.each([
    { "README.md": "A library to classify images: dogs, cats, breeds. Identification of species." },
    { "README.md": "Used in many Kaggle competitions, see https://www.kaggle.com/c/titanic" },
    {
      "README.md": "dog-breed-identification-toolbox-of-another-name: no",
      "x.py": "dogbreedidentification = 1\n",
    },
    { "data/sample.csv": "id,label\n1,2\n" },
    { "tests/expected.csv": "id,affenpinscher,afghan_hound\na,0.5,0.5\n" },
  ])("%j", async (files) => {
    const leak = await leakOf(files as Record<string, string>);
    // The third names the slug as the beginning of another word, which counts: better one too many than one too few.
    expect(leak?.rule ?? null).toBe(JSON.stringify(files).includes("toolbox") ? "slug" : null);
  });

  it("a slug of one common word counts only with the address, a short title only beside Kaggle", async () => {
    const leaf = { id: "leaves", title: "Leaf Sorting", sampleHeader: [], kernels: [] };
    expect(await leakOf({ "README.md": "leaves of a tree; leaf sorting" }, leaf)).toBeNull();
    expect((await leakOf({ "README.md": "kaggle.com/c/leaves" }, leaf))?.rule).toBe("kaggle address");
    expect((await leakOf({ "README.md": "Kaggle's Leaf Sorting, gold" }, leaf))?.rule).toBe("title");
  });
});
