import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type DescribedFacts,
  descriptionProblems,
  type PublicTree,
  publicTree,
  repeatedSentences,
} from "./description-check.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const goldenRoot = here("vectors/prepare");
const factsFile = here("vectors/competitions.json");
const competitionsFolder = here("../../src/competitions");

const facts = JSON.parse(readFileSync(factsFile, "utf8")) as Record<string, DescribedFacts>;
const texts = new Map(
  readdirSync(competitionsFolder)
    .filter((id) => existsSync(`${competitionsFolder}/${id}/description.md`))
    .map((id) => [id, readFileSync(`${competitionsFolder}/${id}/description.md`, "utf8")]),
);

/** `DESCRIPTION_ID=<id>` checks one description alone, for whoever is writing it. */
const onlyId = process.env.DESCRIPTION_ID;
const catalogued = [...texts.keys()].filter((id) => id in facts && (!onlyId || id === onlyId));

describe("the description of a competition", () => {
  it.each(catalogued)("%s keeps the format and names only what is public", (id) => {
    const known = facts[id]!;
    const tree = publicTree(`${goldenRoot}/${id}`, known.files.sampleSubmission);
    expect(descriptionProblems(texts.get(id)!, known, tree)).toEqual([]);
  });

  it("shares no long sentence with the description of another", () => {
    const repeated = repeatedSentences(texts);
    expect(onlyId ? repeated.filter(({ ids }) => ids.includes(onlyId)) : repeated).toEqual([]);
  });
});

describe("the check of descriptions", () => {
  const known: DescribedFacts = {
    name: "Some Competition",
    lowerIsBetter: false,
    idColumns: ["id"],
    targetColumns: ["label"],
    files: { sampleSubmission: "prepared/public/sample.csv" },
  };
  const tree: PublicTree = {
    paths: ["sample.csv", "train/1/a.png", "train/1/a.json", "pack.zip", "pack.zip/1.jpg"],
    columns: new Set(["id", "label"]),
    sampleHeader: ["id", "label"],
  };
  const good = [
    "# Some Competition\n\n## Task\n\nLabel things.\n\n## Files\n",
    "- `sample.csv`: `id`, `label`.\n- `train/<n>/<name>.png`, `train/**.json`, `pack.zip/<n>.jpg`.\n",
    "## Metric\n\n**Accuracy, higher is better.**\n",
    "## Submission format\n\n```csv\nid,label\n1,0\n```\n",
  ].join("\n");

  it("accepts a description that names every public family and nothing else", () => {
    expect(descriptionProblems(good, known, tree)).toEqual([]);
  });

  it.each([
    ["a file that is not public", "`label`.", "`label`, `answers.csv`.", /answers\.csv/],
    ["a family left out", ", `train/**.json`", "", /nothing names train\/\*\*\.json/],
    ["the wrong direction", "higher is", "lower is", /wrong direction/],
    ["a target column missing from the example", "id,label\n1,0", "id\n1", /lacks column label/],
    ["a column unknown to the sample", "id,label\n1,0", "id,label,x\n1,0,0", /column x is not in the sample/],
    ["a section out of place", "## Task", "## Aim", /sections must be exactly/],
    ["another name", "# Some", "# Any", /first line/],
  ])("reports %s", (_, part, replacement, problem) => {
    const problems = descriptionProblems(good.replace(part, replacement), known, tree);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it("finds a long sentence that two descriptions share even when it is wrapped differently", () => {
    const sentence = "This sentence is certainly longer than sixty characters, as anyone may count.";
    const wrapped = sentence.replace("longer ", "longer\n  ");
    const repeated = repeatedSentences(
      new Map([
        ["a", `Hi. ${sentence}`],
        ["b", `- ${wrapped} Bye.`],
      ]),
    );
    expect(repeated.map(({ ids }) => ids)).toEqual([["a", "b"]]);
  });
});
