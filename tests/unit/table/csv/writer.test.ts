import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChunkedFile } from "../../../../src/table/csv/chunked-file.ts";
import {
  type CsvCell,
  type CsvColumn,
  type CsvStyle,
  csvField,
  csvFloat,
  csvRow,
  csvWriter,
} from "../../../../src/table/csv/writer.ts";

function csv(columns: CsvColumn[], rows: CsvCell[][], style?: CsvStyle): string {
  let text = "";
  const writeRow = csvWriter(
    columns,
    (row) => {
      text += row;
    },
    style,
  );
  for (const row of rows) writeRow(row);
  return text;
}

test.each([
  ["plain", "plain"],
  ["", ""],
  ["a,b", '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ["two\nlines", '"two\nlines"'],
  ["lone\rreturn", "lone\rreturn"],
  ["crlf\r\n", '"crlf\r\n"'],
  [" blanks ", " blanks "],
  ["# it's\u2028\ufeff", "# it's\u2028\ufeff"],
  ["a\tb", "a\tb"],
])("the text %j is written as %j", (text, expected) => {
  expect(csvField(text)).toBe(expected);
});

test("in a tab file a tab causes quotes and a comma does not", () => {
  expect(csvField("a\tb", "\t")).toBe('"a\tb"');
  expect(csvField("a,b", "\t")).toBe("a,b");
});

test.each([
  [39, "39.0"],
  [0.00001, "1e-05"],
  [1.5e-7, "1.5e-07"],
  [0.0001, "0.0001"],
  [1e16, "1e+16"],
  [123456789012345680, "1.2345678901234568e+17"],
  [9999999999999998, "9999999999999998.0"],
  [5e-324, "5e-324"],
  [58.2536486486487, "58.2536486486487"],
  [Number("58.253648648648703"), "58.253648648648706"],
  [-0, "-0.0"],
  [1 / 3, "0.3333333333333333"],
  [3 / 255, "0.011764705882352941"],
  [Number.POSITIVE_INFINITY, "inf"],
  [Number.NEGATIVE_INFINITY, "-inf"],
  [Number.NaN, ""],
])("the float %s is written as %j", (value, expected) => {
  expect(csvFloat(value)).toBe(expected);
});

const ALL_KINDS: CsvColumn[] = [
  { name: "id", kind: "int" },
  { name: "x,y", kind: "float" },
  { name: "ok", kind: "bool" },
  { name: "note", kind: "text" },
];

test("each kind of column prints its own way and missing cells are empty", () => {
  const rows = [
    [1, 1, true, "a,b"],
    [18446744073709551615n, 0.5, false, ""],
    [null, Number.NaN, null, undefined],
  ];
  expect(csv(ALL_KINDS, rows)).toBe(
    'id,"x,y",ok,note\n1,1.0,True,"a,b"\n18446744073709551615,0.5,False,\n,,,\n',
  );
});

test("quoting all but numbers quotes header, texts and missing cells", () => {
  const rows = [
    [1, 0.5, true, 'a "b"'],
    [2, Number.NaN, null, null],
  ];
  expect(csv(ALL_KINDS, rows, { quoting: "nonnumeric" })).toBe(
    '"id","x,y","ok","note"\n1,0.5,True,"a ""b"""\n2,"","",""\n',
  );
});

test("a float format changes float columns only", () => {
  const rows = [[10, 10, true, "10"]];
  expect(csv(ALL_KINDS, rows, { floats: "%.10f" })).toContain("\n10,10.0000000000,True,10\n");
  expect(csv(ALL_KINDS, rows, { floats: "%.10g" })).toContain("\n10,10,True,10\n");
  expect(csv(ALL_KINDS, [[1, null, false, ""]], { floats: "%.10f" })).toContain("\n1,,False,\n");
});

test("a lone empty field is quoted, in the header too", () => {
  expect(csv([{ name: "", kind: "text" }], [[""], [null], ["x"]])).toBe('""\n""\n""\nx\n');
  expect(csvRow([""])).toBe('""\n');
  expect(csvRow(["", ""])).toBe(",\n");
});

test("single-precision columns print single-precision digits", () => {
  expect(csv([{ name: "azimuth", kind: "float32" }], [[Math.fround(4.9895215)]])).toBe(
    "azimuth\n4.9895215\n",
  );
});

test("a large file is complete after closing, texts and bytes in the order written", () => {
  const folder = mkdtempSync(join(tmpdir(), "mlebench-writer-"));
  try {
    const path = join(folder, "out.csv");
    const file = createChunkedFile(path);
    const big = Buffer.alloc(3_000_000, "é");
    const expected: Buffer[] = [];
    for (let i = 0; i < 60_000; i++) {
      file.write(`${i},ünïcode 😀\n`);
      expected.push(Buffer.from(`${i},ünïcode 😀\n`));
      if (i % 20_000 === 0) {
        file.writeBytes(big);
        file.writeBytes(Buffer.from("raw\n"));
        expected.push(big, Buffer.from("raw\n"));
      }
    }
    file.close();
    expect(readFileSync(path).equals(Buffer.concat(expected))).toBe(true);
    expect(() => createChunkedFile(path)).toThrow("EEXIST");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
