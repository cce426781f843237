import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsvBytes, readCsvFile } from "../../src/table/csv/reader.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { naiveRead } from "./naive-csv.ts";
import { tableArrays, tableContent } from "./table-content.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

/** Pieces that mean something to a CSV reader, in any order. */
const piece = fc.constantFrom(
  ...[",", ",", ",", "\n", "\n", "\r", "\r\n", '"', '""', '","', " ", "\t", "\0", "\uFEFF", "é", "\u{1F600}"],
  ...[
    "a",
    "b",
    "id",
    "1",
    "0",
    "-",
    ".",
    "e5",
    "7",
    "NA",
    "nan",
    "None",
    "True",
    "false",
    "inf",
    "Unnamed: 0",
  ],
);
const csvText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

const cell = fc.oneof(
  fc.constantFrom(
    "",
    "NA",
    "nan",
    "null",
    "None",
    "n/a",
    "<NA>",
    "na",
    "NAN",
    " ",
    "-",
    "True",
    "FALSE",
    "true",
    "yes",
  ),
  fc.constantFrom(
    "1",
    "007",
    "+5",
    "-0",
    " 12 ",
    "\t3",
    "0.5",
    ".5",
    "5.",
    "1e5",
    "1E-3",
    "1e400",
    "-1e400",
    "1e-400",
  ),
  fc.constantFrom(
    "inf",
    "-INFINITY",
    " inf",
    "1_000",
    "0x1",
    "1e",
    ".",
    "1 2",
    "12345678901234567890",
    "-0.0",
  ),
  fc.constantFrom(
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
  ),
  fc.constantFrom(
    "9007199254740993",
    "0.1000000000000000055511151231257827",
    "123456789012345678901234567890",
  ),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ maxLength: 6 }),
);
const written = (text: string, quote: boolean) =>
  quote || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const quotedCell = fc.tuple(cell, fc.boolean()).map(([text, quote]) => written(text, quote));
/** Columns of one flavour are what makes kinds other than text likely. */
const flavouredColumn = (rows: number) =>
  fc.oneof(
    fc.array(quotedCell, { minLength: rows, maxLength: rows }),
    fc.array(fc.constantFrom("1", "2", "-7", "", "NA"), { minLength: rows, maxLength: rows }),
    fc.array(fc.constantFrom("1.5", "2", "1e3", "nan", "-inf"), { minLength: rows, maxLength: rows }),
    fc.array(fc.constantFrom("True", "false", "TRUE", "NA"), { minLength: rows, maxLength: rows }),
    fc.array(fc.constantFrom("9223372036854775808", "1", "-1", "-9223372036854775809", "NA", "1.5", "-x"), {
      minLength: rows,
      maxLength: rows,
    }),
    fc.array(
      fc.constantFrom(
        "-9223372036854775808",
        "-9223372036854775807",
        "NA",
        "7",
        "99999999999999999999.5",
        "1.5",
      ),
      { minLength: rows, maxLength: rows },
    ),
  );
const rectangle = fc
  .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 4 }), fc.constantFrom("\n", "\r\n", "\r"))
  .chain(([rows, width, lineEnd]) =>
    fc
      .tuple(
        fc.array(fc.constantFrom("a", "a", "a.1", "b", "", "Unnamed: 1", " a", '"x,y"'), {
          minLength: width,
          maxLength: width,
        }),
        fc.tuple(...Array.from({ length: width }, () => flavouredColumn(rows))),
      )
      .map(([header, columns]) =>
        [header, ...Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]))]
          .map((fields) => fields.join(",") + lineEnd)
          .join(""),
      ),
  );

describe("the CSV reader", () => {
  test("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const outcome = readCsvBytes(bytes);
        expect(outcome.ok || outcome.problem.message.length > 0).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test("reads any text made of CSV's own pieces as the rules say, cell by cell", () => {
    fc.assert(
      fc.property(csvText, (text) => {
        const bytes = bytesOf(text);
        expect(tableContent(readCsvBytes(bytes))).toEqual(naiveRead(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  test("gives columns of every flavour the kind and the values that the rules say", () => {
    fc.assert(
      fc.property(rectangle, (text) => {
        const bytes = bytesOf(text);
        expect(tableContent(readCsvBytes(bytes))).toEqual(naiveRead(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  test("keeps only the columns asked for, and these as if all had been asked for", () => {
    fc.assert(
      fc.property(rectangle, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (text, chosen) => {
        const all = readCsvBytes(bytesOf(text));
        const some = readCsvBytes(bytesOf(text), { columns: (header) => header.filter((_, i) => chosen[i]) });
        if (!all.ok || !some.ok) {
          expect(some).toEqual(all);
          return;
        }
        expect(some.table.header).toEqual(all.table.header);
        for (const [position, name] of all.table.header.entries()) {
          const expected = chosen[position] ? all.table.column(name) : undefined;
          expect(some.table.column(name)?.kind).toEqual(expected?.kind);
          expect(some.table.column(name)?.numbers).toEqual(expected?.numbers);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a file larger than the reader's window", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "large.csv");
  const outcomes = (text: string) => {
    fs.writeFileSync(file, text);
    return { windowed: readCsvFile(file), whole: readCsvBytes(bytesOf(text)) };
  };
  const expectSame = (text: string) => {
    const { windowed, whole } = outcomes(text);
    if (!windowed.ok || !whole.ok) return expect(windowed).toEqual(whole);
    expect(windowed.table.rowCount).toBe(whole.table.rowCount);
    expect(tableArrays(windowed.table)).toEqual(tableArrays(whole.table));
  };
  const WINDOW = 2 ** 20;

  test("reads like one held in memory, wherever the windows cut it", () => {
    const row = fc.tuple(quotedCell, quotedCell, quotedCell).map((cells) => cells.join(","));
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom("\n", "\r\n", "\r", "\n \t\n", "\n\n"),
        (rows, shift, lineEnd) => {
          const block = rows.map((text) => text + lineEnd).join("");
          const header = `${"h".repeat(shift)},b,c${lineEnd}`;
          expectSame(header + block.repeat(Math.ceil((1.3 * WINDOW) / Buffer.byteLength(block))));
        },
      ),
      { numRuns: 12 },
    );
  });

  test.each([
    ["a character of four bytes", "\u{1F600}"],
    ["a line end of two characters", "\r\n"],
    ["a doubled quote inside quotes", '"a""b"'],
    ["a closing quote with text behind it", '"a"b'],
    ["a line of blanks", "\n  \t  \n"],
    ["a number", "-12345.678e-3"],
    ["a NUL", "a\0b"],
  ])("is cut in the middle of %s without a trace", (_, token) => {
    for (let shift = 0; shift <= Buffer.byteLength(token) + 1; shift++) {
      const lead = `a,b\n${"x".repeat(WINDOW - 7 - shift)},1\n`;
      expectSame(`${lead.slice(0, -3)}${token},1\n${token},2\nend,3\n`);
    }
  });

  test.each([
    ["unquoted", "y".repeat(3 * WINDOW)],
    ["quoted", `"${'y""\n,'.repeat(WINDOW / 2)}"`],
  ])("may hold an %s field larger than the window", (_, field) => {
    expectSame(`a,b\n1,2\n3,${field}\n4,5\n`);
  });

  test.each([
    ["a quote that is never closed", `a,b\n${"1,2\n".repeat(WINDOW / 3)}"x`, "OPEN_QUOTE"],
    ["a row too wide", `a,b\n${"1,2\n".repeat(WINDOW / 3)}1,2,3\n`, "RAGGED_ROW"],
  ])("is refused for %s far behind the first window", (_, text, code) => {
    const { windowed, whole } = outcomes(text);
    expect(windowed).toMatchObject({ ok: false, problem: { code } });
    expect(windowed).toEqual(whole);
  });

  test("is refused for a bad byte far behind the first window", () => {
    fs.writeFileSync(
      file,
      Buffer.concat([Buffer.from(`a,b\n${"1,2\n".repeat(WINDOW / 2)}`), Buffer.from([0xff])]),
    );
    expect(readCsvFile(file)).toMatchObject({ ok: false, problem: { code: "NOT_UTF8" } });
  });
});
