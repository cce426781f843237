import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type CompetitionNames, findLeak } from "../../../../src/agents/repo/leak-filter.ts";
import { mapRepository } from "../../../../src/repositories/map/repository-map.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const SPACE: CompetitionNames = {
  id: "spaceship-titanic",
  title: "Spaceship Titanic",
  sampleHeader: ["PassengerId", "Transported"],
  kernels: [],
};
const LEAF: CompetitionNames = {
  id: "leaf-classification",
  title: "Leaf Classification",
  sampleHeader: ["id", "Acer_Capillipes", "Acer_Circinatum"],
  kernels: [],
};
const EYES: CompetitionNames = {
  id: "aptos2019-blindness-detection",
  title: "APTOS 2019 Blindness Detection",
  sampleHeader: ["id_code", "diagnosis"],
  kernels: ["someone/eye-efficientnet"],
};

type Files = Record<string, string | Buffer>;

async function leakOf(files: Files, names: CompetitionNames) {
  const root = temporaryFolder();
  writeText(root, "main.py", "x = 1\n");
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  return findLeak(await mapRepository(root), names);
}

const rows = (header: string, row: string) => `${header}\n${`${row}\n`.repeat(200)}`;

/** A second corpus: written by somebody who had not yet run the filter on any of it. */
const PLANTED: [string, CompetitionNames, Files][] = [
  [
    "title and Kaggle in two lines",
    SPACE,
    { "README.md": "# Spaceship Titanic\n\nMy solution for Kaggle.\n" },
  ],
  ["one word of it as a file", SPACE, { "SpaceshipTitanic.ipynb": '{"cells": []}' }],
  ["one word of it in code", SPACE, { "data.py": "class SpaceshipTitanicDataset:\n    pass\n" }],
  ["blanks in the slug of an address", SPACE, { "a.md": "kaggle.com/competitions/spaceship%20titanic" }],
  ["UTF-16", SPACE, { "README.txt": Buffer.from("\uFEFFfor spaceship-titanic", "utf16le") }],
  ["a nought byte in front", SPACE, { "notes.md": `\0 spaceship-titanic` }],
  ["a packed text", SPACE, { "notes.md.gz": gzipSync("how I solved spaceship-titanic") }],
  [
    "a pickle",
    SPACE,
    { "model.pkl": Buffer.from("\x80\x04\x95\0\0\x8c\x11spaceship-titanic/\0\0", "latin1") },
  ],
  [
    "a packed submission",
    SPACE,
    { "submission.csv.gz": gzipSync(rows("PassengerId,Transported", "1,True")) },
  ],
  ["columns the other way", SPACE, { "submission.csv": rows("Transported,PassengerId", "True,1") }],
  ["tabs", SPACE, { "submission.tsv": rows("PassengerId\tTransported", "1\tTrue") }],
  ["deep below", SPACE, { [`${"a/".repeat(30)}notes.md`]: "spaceship-titanic" }],
  ["the end of a huge file", SPACE, { "log.txt": `${"x".repeat(33_000_000)}\nspaceship-titanic\n` }],
  ["a short slug", LEAF, { "README.md": "Kaggle\n======\n\nLeaf classification, 12th place.\n" }],
  ["a short slug, joined", LEAF, { "leafclassification/train.py": "x = 1\n" }],
  ["years apart", EYES, { "README.md": "APTOS-2019 Blindness-Detection" }],
  ["another separator", EYES, { "README.md": "input/aptos2019_blindness-detection" }],
  ["a notebook's name as a file", EYES, { "someone/eye-efficientnet.ipynb": '{"cells": []}' }],
];

const GENERAL: [string, CompetitionNames, Files][] = [
  ["an example of another one", SPACE, { "README.md": "Try it on Kaggle's Titanic: kaggle.com/c/titanic" }],
  [
    "words apart",
    SPACE,
    { "README.md": "A spaceship simulator.\n\nAlso the Titanic data set, from Kaggle.\n" },
  ],
  ["an id and a truth value", SPACE, { "data/people.csv": rows("PassengerId,Survived", "1,0") }],
  [
    "trees have leaves",
    LEAF,
    { "README.md": "Decision trees: leaf-wise growth. Classification, regression." },
  ],
  ["a sentence", LEAF, { "tree.py": '"""How the value of a leaf classification is made."""\n' }],
  ["a plant toolbox", LEAF, { "README.md": "Segmentation of leaves and classification of plants." }],
  ["eyes", EYES, { "README.md": "Retina tools for detection of blindness; used with APTOS data." }],
  ["a table of ids", EYES, { "labels.csv": rows("id_code,label", "1,0") }],
  ["many competitions", EYES, { "README.md": "Winners of Kaggle competitions in 2019 used this library." }],
  ["a packed table", EYES, { "x.csv.gz": gzipSync(rows("a,b", "1,2")), "x.npz": Buffer.alloc(5000) }],
  [
    "one common word",
    { ...EYES, id: "starter-garments", title: "Garments" },
    { "README.md": "Kaggle and others.\n\nSorts garments by colour.\n" },
  ],
  ["a large table", SPACE, { "big.csv": `a,b\n${"1,2\n".repeat(8_500_000)}` }],
  ["a bomb", SPACE, { "bomb.gz": gzipSync(Buffer.alloc(80_000_000)) }],
];

it.each(PLANTED)("what was made for the competition is dropped: %s", async (_, names, files) => {
  expect(await leakOf(files, names)).not.toBeNull();
});

it.each(GENERAL)("what was not made for it stays: %s", async (_, names, files) => {
  expect(await leakOf(files, names)).toBeNull();
});
