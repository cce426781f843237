import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue, loadCompetition } from "../../src/competitions/catalogue.ts";
import { leftWords } from "../e2e/integrity/left-words.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";

/** Ids and names of files come back in a submission: they stay, and they name their source. */
const IDS_THAT_TELL = ["siim-isic-melanoma-classification"];

const recorded = (id: string) => path.resolve("tests/golden/vectors/prepare", id, "expected/public");
const entries = (await catalogue()).filter(({ id }) => fs.existsSync(recorded(id)));

describe("none of the removed words is left in data as they were recorded", () => {
  test("there are recorded data of nearly all", () => {
    expect(entries.length).toBeGreaterThan(75);
  });

  test.each(entries.map(({ id }) => id))("%s", async (id) => {
    const { words, headerComesBack } = await leftWords(
      (await loadCompetition(id))!,
      recorded(id),
      temporaryFolder(),
    );
    if (!IDS_THAT_TELL.includes(id)) expect(words).toEqual([]);
    expect(headerComesBack).toBe(true);
  });
});
