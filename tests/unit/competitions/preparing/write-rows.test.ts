import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvCellOf, csvKindOf } from "../../../../src/competitions/preparing/rows/column-values.ts";
import {
  openRawCsv,
  type RawCsvOptions,
  readColumns,
} from "../../../../src/competitions/preparing/rows/raw-csv.ts";
import type { OutputColumn } from "../../../../src/competitions/preparing/rows/row-target.ts";
import { visitRows } from "../../../../src/competitions/preparing/rows/scan-rows.ts";
import { writeRows } from "../../../../src/competitions/preparing/rows/write-rows.ts";
import { type CsvStyle, csvField, csvWriter } from "../../../../src/table/csv/writer.ts";
import { read, workshop } from "./workshop.ts";

interface Rewriting {
  options?: RawCsvOptions;
  columns?: OutputColumn[];
  rows?: number[];
  style?: CsvStyle;
}

async function rewritten(text: string, { options, columns, rows, style }: Rewriting = {}): Promise<string> {
  const { preparation } = workshop({ "train.csv": text });
  const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"), options);
  const path = join(preparation.public, "out.csv");
  const output = { path, columns: columns ?? csv.header, ...(rows ? { rows: Uint32Array.from(rows) } : {}) };
  await writeRows(preparation, csv, [output], style);
  return read(path);
}

describe("rows of a raw file are written as pandas would write what it has read", () => {
  test.each([
    ["an integer column loses padding, plus signs and blanks", "a\n007\n+5\n -0 \n", "a\n7\n5\n0\n"],
    ["an integer column with a gap becomes float", "a,b\n1,x\n,y\n-0,z\n", "a,b\n1.0,x\n,y\n0.0,z\n"],
    [
      "the smallest integer is taken for the gap it marks in a column with gaps, and only there",
      "a,b\n-9223372036854775808,-9223372036854775808\n,1\n-9223372036854774000,2\n",
      "a,b\n,-9223372036854775808\n,1\n-9.223372036854774e+18,2\n",
    ],
    [
      "floats take their shortest form",
      "a\n1.50\n0.00005\n10\n-0\n1e16\n.5\n",
      "a\n1.5\n5e-05\n10.0\n-0.0\n1e+16\n0.5\n",
    ],
    ["small decimals change to an exponent", "a\n0.0001\n0.00009\n0.000090\n", "a\n0.0001\n9e-05\n9e-05\n"],
    [
      "long decimals are rounded to what a double holds",
      "a\n58.253648648648703\n",
      "a\n58.253648648648706\n",
    ],
    [
      "booleans of any case are normalised, gaps stay",
      "a,b\ntRue,1\n,2\nFALSE,3\n",
      "a,b\nTrue,1\n,2\nFalse,3\n",
    ],
    ["text keeps numbers as they are spelled", "a\n007\nx\n1.50\n", "a\n007\nx\n1.50\n"],
    ["missing spellings come out empty, even quoted", 'a,b\n"NA",1\nnull,2\nx,3\n', "a,b\n,1\n,2\nx,3\n"],
    [
      "needless quotes go, needed ones stay",
      'a,b\n"x","p,q"\n"y","say ""hi"""\n',
      'a,b\nx,"p,q"\ny,"say ""hi"""\n',
    ],
    [
      "line breaks inside quotes survive, a lone CR needs none",
      'a\n"x\r\ny"\n"p\rq"\n',
      'a\n"x\r\ny"\np\rq\n',
    ],
    ["short rows are padded", "a,b\nx\ny,z\n", "a,b\nx,\ny,z\n"],
    ["a lone empty field is quoted", 'a\nx\n""\n', 'a\nx\n""\n'],
    ["integers beyond 64 bits are text", "a\n99999999999999999999\n1\n", "a\n99999999999999999999\n1\n"],
    [
      "so are decimals whose digits before the point are",
      "a,b\n99999999999999999999.50,-99999999999999999999.50\n1,1\n",
      "a,b\n99999999999999999999.50,-99999999999999999999.50\n1,1\n",
    ],
    ["unsigned integers are kept exactly", "a\n18446744073709551615\n1\n", "a\n18446744073709551615\n1\n"],
    ["CRLF becomes LF and a byte-order mark goes", "\ufeffa,b\r\n1,2\r\n", "a,b\n1,2\n"],
  ])("%s", async (_, raw, expected) => {
    expect(await rewritten(raw)).toBe(expected);
  });

  test.each([
    ["TRUE", "1.50", "1.0", "1.5"],
    ["2.50", "false", "2.5", "0.0"],
    ["NA", "true", "", "1.0"],
    ["TRUE", "07", "1", "7"],
    ["TRUE", "x", "True", "x"],
  ])("a block of %s before one of %s", async (first, second, printedFirst, printedSecond) => {
    // As many columns as make a block of rows short.
    const header = Array.from({ length: 1024 }, (_, i) => `c${i}`);
    const raw = [header, ...Array(512).fill([first]), [second]].map((cells) => cells.join(",")).join("\n");
    const lines = (await rewritten(raw, { columns: ["c0", { name: "n", value: "1" }] })).split("\n");
    expect([lines[1], lines[512], lines[513]]).toEqual(
      [printedFirst, printedFirst, printedSecond].map((cell) => `${cell},1`),
    );
  });

  test("a forced text keeps its zeros, and missing spellings are still missing", async () => {
    expect(await rewritten("a,b\n007,1\nNA,2\n", { options: { kinds: { a: "text" } } })).toBe(
      "a,b\n007,1\n,2\n",
    );
  });

  test("a forced float is one also where an integer is beyond 64 bits", async () => {
    const raw = "a,b\n100000000000000000000,1\n+7,2\nNA,3\n";
    expect(await rewritten(raw, { options: { kinds: { a: "float" } } })).toBe("a,b\n1e+20,1\n7.0,2\n,3\n");
  });

  test("the default float parser is not correctly rounded, and that is kept", async () => {
    const text = "a\n0.000506083559763780\n";
    expect(await rewritten(text, { options: { defaultFloats: true } })).toBe("a\n0.0005060835597637\n");
    expect(await rewritten(text)).toBe("a\n0.00050608355976378\n");
    const zeros = "a\n220.31483624124670\n";
    expect(await rewritten(zeros, { options: { defaultFloats: true } })).toBe("a\n220.31483624124672\n");
    expect(await rewritten(zeros)).toBe("a\n220.3148362412467\n");
    expect(await rewritten("a\n.50\n0e309\n", { options: { defaultFloats: true } })).toBe("a\n.50\n0e309\n");
  });

  test("tab-separated text may hold commas and quotes only for tabs", async () => {
    const raw = 'a\tb\n1,5\tx\n"p\tq"\ty\n';
    const style = { separator: "\t" } as const;
    expect(await rewritten(raw, { options: { separator: "\t" }, style })).toBe(raw);
    expect(await rewritten(raw, { options: { separator: "\t" } })).toBe('a,b\n"1,5",x\np\tq,y\n');
  });

  test("quoting everything but numbers quotes gaps too", async () => {
    const style = { quoting: "nonnumeric" } as const;
    const columns: OutputColumn[] = ["a", "b", { name: "n", cell: (row) => String(row), numeric: true }];
    expect(await rewritten("a,b\n1,x\n2,\n", { style, columns })).toBe('"a","b","n"\n1,"x",0\n2,"",1\n');
  });

  test("columns can be renamed, reordered, constant or made", async () => {
    const columns: OutputColumn[] = [
      { name: "", cell: (row) => String(row) },
      "b",
      { name: "id", from: "a" },
      { name: "label", value: "0.5" },
      { name: "at", cell: (row, position) => `${row}, ${position} é` },
    ];
    expect(await rewritten("a,b\n1,x\n2,y\n3,z\n", { columns, rows: [2, 0] })).toBe(
      ',b,id,label,at\n2,z,3,0.5,"2, 0 é"\n0,x,1,0.5,"0, 1 é"\n',
    );
  });
});

const cell = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true }).map(String),
  fc.double({ noNaN: true, min: -100, max: 100 }).map((value) => value.toFixed(6)),
  fc.constantFrom(
    "",
    "NA",
    "1",
    "0",
    "-0",
    "1.0",
    " 2",
    "True",
    "false",
    "x",
    'a"b',
    "p,q",
    "l\nm",
    "é",
    "1e5",
    "inf",
  ),
);
const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );

test("streaming a file gives the same text as reading it into memory and writing the columns", async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.infiniteStream(fc.nat()), async (rows, picks) => {
      const names = rows[0].map((_, i) => `c${i}`);
      // A first column without gaps, so that no row is a blank line.
      const text = [["k", ...names], ...rows.map((row, i) => [`r${i}`, ...row])]
        .map((row) => `${row.map(quoted).join(",")}\n`)
        .join("");
      const { preparation } = workshop({ "t.csv": text });
      const csv = await openRawCsv(preparation, join(preparation.raw, "t.csv"));
      const order = rows.map((_, i) => ({ i, key: picks.next().value })).sort((a, b) => a.key - b.key);
      const path = join(preparation.public, "out.csv");
      const chosen = Uint32Array.from(order, ({ i }) => i);
      await writeRows(preparation, csv, [{ path, rows: chosen, columns: csv.header }]);
      const columns = readColumns(csv, csv.header);
      let expected = "";
      const write = csvWriter(
        columns.map((column) => ({ name: column.name, kind: csvKindOf(column) })),
        (row) => {
          expected += row;
        },
      );
      for (const row of chosen) write(columns.map((column) => csvCellOf(column, row)));
      expect(read(path)).toBe(expected);

      const seen: string[] = [];
      await visitRows(preparation, csv, csv.header, (cells) => {
        seen.push(cells.map((value) => csvField(value ?? "")).join(","));
      });
      const lines = [...seen.keys()].map((row) => seen[row]);
      expect(Array.from(chosen, (row) => lines[row]).join("\n")).toBe(
        expected.split("\n").slice(1).join("\n").trimEnd(),
      );
    }),
    { numRuns: 150 },
  );
});

test("an interruption is noticed in the middle of a large file", async () => {
  const controller = new AbortController();
  const { preparation, steps } = workshop(
    { "t.csv": `a\n${"123456789\n".repeat(4_000_000)}` },
    controller.signal,
  );
  controller.abort();
  await expect(openRawCsv(preparation, join(preparation.raw, "t.csv"))).rejects.toThrow();
  expect(steps).toHaveLength(1);
});
