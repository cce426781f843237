import fs from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRowKeeper } from "../../../src/data/audit/reading/kept-rows.ts";
import { readRecords } from "../../../src/data/audit/reading/record-stream.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { auditMadeUp, cleanPets, pets, petsDescription } from "./prepared-set.ts";

const LINES = 1500;
const DOCUMENT = 30_000;

v8.setFlagsFromString("--expose_gc");
const collectGarbage: () => void = vm.runInNewContext("gc");

function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Written piece by piece: a text of the test's own would count as held. */
function writeRecords(file: string, open: string, between: string, close: string): void {
  const descriptor = fs.openSync(file, "w");
  for (let i = 0; i < LINES; i++) {
    const record = { title: `the title of document ${i}`, text: `${i} `.padEnd(DOCUMENT, "x") };
    fs.writeSync(descriptor, (i === 0 ? open : between).replace("#", String(i)) + JSON.stringify(record));
  }
  fs.writeSync(descriptor, close);
  fs.closeSync(descriptor);
}

describe("a large file of JSON", () => {
  it.each([
    ["lines", "lines.jsonl", "", "\n", "\n"],
    ["a list", "list.json", "[", ",", "]"],
  ])("gives cells that hold nothing else of it: %s", (_, name, open, between, close) => {
    const file = path.join(temporaryFolder(), name);
    writeRecords(file, open, between, close);
    const before = heldBytes();
    const kept: string[] = [];
    readRecords(file, name, Number.POSITIVE_INFINITY, () => (cells) => {
      kept.push(cells[0]);
      return true;
    });
    const held = heldBytes() - before;
    expect(kept).toHaveLength(LINES);
    expect(held).toBeLessThan((LINES * DOCUMENT) / 20);
  });

  it("is read member by member: one that is taken apart is not kept", () => {
    const file = path.join(temporaryFolder(), "members.json");
    writeRecords(file, '{"#": ', ', "#": ', "}");
    let most = 0;
    let rows = 0;
    const before = heldBytes();
    readRecords(file, "members.json", Number.POSITIVE_INFINITY, () => () => {
      if (++rows % 500 === 0) most = Math.max(most, heldBytes() - before);
      return true;
    });
    expect(rows).toBe(LINES);
    expect(most).toBeLessThan((LINES * DOCUMENT) / 20);
  });

  it("with a value too large to take apart is named in the report, not read into memory", async () => {
    const files = { ...cleanPets(), "public/notes.jsonl": `{"note": "${"x".repeat(17 * 2 ** 20)}"}\n` };
    const report = await auditMadeUp(pets, files, petsDescription);
    expect(report.notScanned).toContainEqual({
      file: "notes.jsonl",
      reason: expect.stringContaining("Line 1 is longer than"),
    });
  });
});

describe("the rows kept of many tables", () => {
  const row = (text: string, number = 0) => ({ number, cells: [text] });

  it("are at most as many as wanted, and evenly spread", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 100, max: 500 }), (count, most) => {
        const kept = createRowKeeper(Number.POSITIVE_INFINITY)<ReturnType<typeof row>>(most);
        for (let i = 0; i < count; i++) if (kept.wantsNext()) kept.keep(row("x", i));
        const gaps = new Set(kept.rows.slice(1).map(({ number }, i) => number - kept.rows[i].number));
        expect(kept.rows.length).toBeLessThanOrEqual(most);
        expect(kept.rows.length).toBeGreaterThanOrEqual(Math.min(count, Math.floor(most / 2)));
        expect(gaps.size).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("take no more memory than all of them may: the largest gives rows up, the others keep theirs", () => {
    const keepRows = createRowKeeper(400_000);
    const small = keepRows(10_000);
    const large = keepRows(10_000);
    for (let i = 0; i < 300; i++) if (small.wantsNext()) small.keep(row("x".repeat(60)));
    for (let i = 0; i < 5000; i++) if (large.wantsNext()) large.keep(row("x".repeat(960)));
    expect(small.rows).toHaveLength(300);
    expect(large.rows.length).toBeGreaterThan(150);
    expect(large.rows.length).toBeLessThanOrEqual(370);
  });
});
