import path from "node:path";
import { describe, expect, it } from "vitest";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import type { AskModel } from "../../../../src/agents/kit/model-client.ts";
import { taskRequirements } from "../../../../src/agents/repo/requirements.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const home = temporaryFolder();
writeText(home, "data/description.md", "# Sounds of words\n\nHow is each word pronounced?\n");
const contract = readContract({ DATA_DIR: path.join(home, "data") });

/** A model with one answer. */
const saying =
  (words: string): AskModel =>
  async () => ({ status: "answered", id: "1", text: words, toolCalls: [], inputTokens: 1, outputTokens: 1 });

describe("what a task needs", () => {
  it("is what its description says, and what the model would search for", async () => {
    const found = await taskRequirements(contract, saying('Here: ["grapheme to phoneme", "seq2seq", 7]'));
    expect(found.terms).toEqual(["grapheme to phoneme", "seq2seq"]);
    expect(found.query).toContain("How is each word pronounced?");
    expect(found.query).toContain("seq2seq");
  });

  it.each(["I do not know.", '["unclosed', "[[]]", `["${"x".repeat(1e5)}"]`, "{}"])(
    "does without an answer such as %.20s",
    async (words) => {
      expect((await taskRequirements(contract, saying(words))).terms).toEqual([]);
    },
  );

  it("needs no model", async () => {
    expect((await taskRequirements(contract, null)).terms).toEqual([]);
  });
});
