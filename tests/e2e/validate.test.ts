import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Reason } from "../../src/grading/grade-schema.ts";
import { json, mlebench } from "./cli.ts";
import { goldenSubmission, layOutGoldenData } from "./golden-data.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const PIZZA = "random-acts-of-pizza";
const LEAF = "leaf-classification";
const folder = temporaryFolder();
const dataDir = layOutGoldenData(path.join(folder, "data"), [PIZZA, LEAF]);

const validate = (file: string, id: string, ...args: string[]) =>
  mlebench(["validate", file, id, "--data-dir", dataDir, ...args]);

interface Check {
  valid: boolean;
  status: string;
  reasons: Reason[];
  reasonCount: number;
}
const check = (content: string | Uint8Array) =>
  json(validate(writeText(folder, "submission.csv", content), PIZZA, "--json")) as Check;

const [HEADER, ...ROWS] = fs
  .readFileSync(goldenSubmission(PIZZA, "perfect.csv"), "utf8")
  .trimEnd()
  .split("\n");
const withRows = (rows: readonly string[], header = HEADER) => `${[header, ...rows].join("\n")}\n`;
const idOf = (row: string) => row.split(",")[0];

describe("mlebench validate", () => {
  test("calls a good submission valid and never tells a score", () => {
    for (const file of ["perfect.csv", "noisy_bad.csv"]) {
      const { code, stdout, stderr } = validate(goldenSubmission(PIZZA, file), PIZZA);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Submission is valid.\n", stderr: "" });
      const printed = validate(goldenSubmission(PIZZA, file), PIZZA, "--json").stdout;
      expect(printed).not.toMatch(/score|medal|rank|percentile/);
    }
  });

  test("names every bad cell with its row and column", () => {
    const rows = ROWS.with(2, `${idOf(ROWS[2])},1.5`)
      .with(4, `${idOf(ROWS[4])},`)
      .with(6, `${idOf(ROWS[6])},-0.25`);
    const { valid, reasons } = check(withRows(rows));
    expect(valid).toBe(false);
    const places = reasons.map(({ code, row, column }) => `${code} ${row} ${column}`);
    expect(new Set(places)).toEqual(
      new Set(
        [3, 5, 7].map(
          (row) => `${row === 5 ? "MISSING_VALUE" : "OUT_OF_RANGE"} ${row} requester_received_pizza`,
        ),
      ),
    );
  });

  test("names the cells that are not numbers, not their innocent neighbours", () => {
    const { reasons } = check(
      withRows(ROWS.with(9, `${idOf(ROWS[9])},many`).with(11, `${idOf(ROWS[11])},few`)),
    );
    expect(reasons.map(({ code, row }) => [code, row])).toEqual([
      ["NOT_A_NUMBER", 10],
      ["NOT_A_NUMBER", 12],
    ]);
  });

  test("names ids that are missing, unknown, repeated or empty, with rows and examples", () => {
    const rows = ROWS.with(0, "t3_unknown,0.5").with(1, ROWS[3]);
    const messages = check(withRows(rows)).reasons.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining('"t3_unknown" in row 1'));
    expect(messages).toContainEqual(expect.stringContaining(`"${idOf(ROWS[3])}" in row`));
    expect(messages).toContainEqual(expect.stringContaining(`"${idOf(ROWS[0])}"`));
    const empty = check(withRows(ROWS.with(7, ",0.5"))).reasons;
    expect(empty).toContainEqual(expect.objectContaining({ code: "WRONG_IDS", row: 8 }));
  });

  test("names the column that is missing and those that are there", () => {
    const { reasons } = check(withRows(ROWS, "request_id,prediction"));
    expect(reasons).toEqual([
      {
        code: "MISSING_COLUMN",
        column: "requester_received_pizza",
        message: expect.stringContaining('the file has "request_id", "prediction"'),
      },
    ]);
  });

  test("counts the problems beyond the ones it lists", () => {
    const result = check(withRows(ROWS.map((row) => `${idOf(row)},7`)));
    expect(result.reasons).toHaveLength(20);
    expect(result.reasonCount).toBe(ROWS.length);
    const { stdout } = validate(path.join(folder, "submission.csv"), PIZZA);
    expect(stdout).toContain(`… and ${ROWS.length - 20} more`);
  });

  test.each([
    ["an open quote", withRows(ROWS.with(5, '"t3_x,0.5')), "is never closed", 6],
    ["a row too wide", withRows(ROWS.with(5, "a,b,c")), "Data row 6 has 3 fields where 2 are expected", 6],
    ["bytes that are not UTF-8", Buffer.from(withRows(["é,0.5"]), "latin1"), "not UTF-8", undefined],
    ["UTF-16", Buffer.from(`\uFEFF${withRows(ROWS)}`, "utf16le"), "not UTF-8", undefined],
  ])("says where a file stops being a table: %s", (_, content, sentence, row) => {
    const { reasons } = check(content);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatchObject({ code: "NOT_A_TABLE", message: expect.stringContaining(sentence) });
    expect(reasons[0].row).toBe(row);
  });

  test("takes an empty file for one without columns", () => {
    expect(check("").reasons[0].message).toContain("the file is empty");
  });

  test("leaves with 0, 1, 2 or 3: valid, invalid, wrong input, no data", () => {
    const good = goldenSubmission(LEAF, "perfect.csv");
    expect(validate(good, LEAF).code).toBe(0);
    expect(validate(goldenSubmission(LEAF, "missing_row.csv"), LEAF).code).toBe(1);
    expect(validate(good, "no-such-thing").code).toBe(2);
    expect(validate(folder, LEAF).code).toBe(2);
    expect(validate(good, "spooky-author-identification").code).toBe(3);
  });
});
