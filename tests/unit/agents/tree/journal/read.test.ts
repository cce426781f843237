import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../../../../src/agents/tree/journal/read.ts";
import { temporaryFolder } from "../../../../e2e/temporary-folder.ts";
import { syntheticJournal, writeSyntheticJournal } from "../../../../fixtures/journals/synthetic-journal.ts";

const file = () => path.join(temporaryFolder(), "journal.jsonl");

describe("the journal's reader", () => {
  it.each([5, 60, 500])("reads %d steps back as they were written", async (steps) => {
    const place = file();
    writeSyntheticJournal(place, steps);
    const read = await readJournal(place);
    expect(read).toMatchObject({ status: "read", doubts: [], moreDoubts: 0 });
    if (read.status !== "read") return;
    expect(read.steps).toEqual(syntheticJournal(steps).steps);
    expect(read.head).toEqual(syntheticJournal(steps).head);
  });

  it("says that there is none, or that it is a folder", async () => {
    const place = file();
    expect(await readJournal(place)).toEqual({ status: "absent" });
    expect(await readJournal(path.dirname(place))).toMatchObject({ status: "unreadable" });
  });

  it("passes over half a line at the end, a line that is too long, and what is not a step", async () => {
    const place = file();
    const { head, steps } = syntheticJournal(5);
    const lines = [
      JSON.stringify(head),
      JSON.stringify(steps[0]),
      JSON.stringify(steps[0]),
      "nonsense",
      JSON.stringify({ ...steps[1], output: "x".repeat(200_000) }),
      JSON.stringify({ ...steps[2], id: "orphan", parent: "nobody" }),
      JSON.stringify({ ...steps[2], id: "damaged", buggy: "perhaps", version: 9 }),
      '{"schema":"mlebench/other"}',
      JSON.stringify({ ...steps[2], id: "newer", parent: null, version: 9, unheardOf: true }),
      '{"schema":"mlebench/journal-st',
    ];
    fs.writeFileSync(place, lines.join("\n"));
    const read = await readJournal(place, { maxLineBytes: 100_000 });
    if (read.status !== "read") throw new Error("not read");
    expect(read.steps.map(({ id }) => id)).toEqual([steps[0].id, "newer"]);
    expect(read.doubts.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 10]);
    expect(read.doubts[4].why).toContain("a later mlebench wrote it");
  });

  it("always gives a forest, whatever the bytes are", async () => {
    const place = file();
    const { head, steps } = syntheticJournal(30);
    const good = [head, ...steps].map((line) => JSON.stringify(line)).join("\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.nat(400), fc.string(), async (at, length, put) => {
        fs.writeFileSync(place, good.slice(0, at) + put + good.slice(at + length));
        const read = await readJournal(place);
        if (read.status !== "read") return false;
        const seen = new Set<string>();
        return read.steps.every(({ id, parent }) => {
          const ok = !seen.has(id) && (parent === null || seen.has(parent));
          seen.add(id);
          return ok;
        });
      }),
      { numRuns: 60 },
    );
  });
});
