import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type CsvOptions, readCsvBytes, readCsvFile } from "../../../../src/table/csv/reader.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";
import { columnContent, tableContent } from "../../../property/table-content.ts";

const read = (text: string, options?: CsvOptions) => readCsvBytes(Buffer.from(text, "utf8"), options);
const content = (text: string) => tableContent(read(text));
const column = (...cells: string[]) => {
  const outcome = read(`a,b\n${cells.map((cell) => `${cell},x\n`).join("")}`);
  return outcome.ok ? columnContent(outcome.table.column("a")!) : outcome;
};

describe("a header", () => {
  test.each([
    ["a,b,a,a", ["a", "b", "a.1", "a.2"]],
    ["a,a.1,a", ["a", "a.1", "a.2"]],
    ["a,a,a.1", ["a", "a.2", "a.1"]],
    [",a,", ["Unnamed: 0", "a", "Unnamed: 2"]],
    [",Unnamed: 0", ["Unnamed: 0.1", "Unnamed: 0"]],
    ['" a ",A', [" a ", "A"]],
    ["\n \t\r\n\na,b", ["a", "b"]],
    ["\uFEFFa,b", ["a", "b"]],
    ['\uFEFF"a",b', ["a", "b"]],
  ])("written %j names the columns %j", (text, names) => {
    expect(content(`${text}\n`)).toMatchObject({ ok: true, header: names });
  });

  test("of a file without any line has no columns", () => {
    expect(content("")).toMatchObject({ ok: true, header: [], rowCount: 0 });
    expect(content(" \n\t\n\r\n")).toMatchObject({ ok: true, header: [], rowCount: 0 });
  });
});

describe("rows", () => {
  test("that are blank do not count, but a lone comma or a pair of quotes does", () => {
    expect(content("a,b\n\n1,2\n  \t\n,\n")).toMatchObject({ rowCount: 2 });
    expect(content('a\n""\n\n1\n')).toMatchObject({ rowCount: 2 });
  });

  test("with too few fields are padded with missing cells", () => {
    expect(content("a,b,c\n1,2,3\n4\n")).toMatchObject({
      columns: [{ kind: "int" }, { kind: "float", cells: [2, null] }, { kind: "float", cells: [3, null] }],
    });
  });

  test("whose first has a field more than the header shift every column and give row labels", () => {
    expect(content("a,b\n1,2,3\n4,5,6\n")).toMatchObject({
      labels: { cells: [1n, 4n] },
      columns: [{ cells: [2n, 5n] }, { cells: [3n, 6n] }],
    });
  });

  test("with too many fields further down make the file no table, and the row is named", () => {
    expect(read("a,b\n1,2\n3,4,5\n")).toEqual({
      ok: false,
      problem: { code: "RAGGED_ROW", row: 2, message: "Data row 2 has 3 fields where 2 are expected." },
    });
  });

  test.each(["\n", "\r\n", "\r"])("may end in %j, with or without one at the end of the file", (lineEnd) => {
    const expected = content("a,b\n1,x\n2,y\n");
    expect(content(`a,b${lineEnd}1,x${lineEnd}2,y${lineEnd}`)).toEqual(expected);
    expect(content(`a,b${lineEnd}1,x${lineEnd}2,y`)).toEqual(expected);
  });
});

describe("a cell", () => {
  test.each([
    ['"x,y"', "x,y"],
    ['"x""y"', 'x"y'],
    ['"x\ny"', "x\ny"],
    ['"x" y', "x y"],
    ['x"y"', 'x"y"'],
    ["  x ", "  x "],
    ["x\0y", "x"],
  ])("written %j reads %j", (written, text) => {
    expect(column(written)).toEqual({ kind: "text", cells: [text] });
  });

  test.each(["", '""', "#N/A N/A", "-1.#QNAN", "<NA>", "None", "null", '"NA"'])(
    "%j is missing",
    (written) => {
      expect(column(written, "x")).toEqual({ kind: "text", cells: [null, "x"] });
    },
  );

  test.each(["na", "NAN", "none", " NA", "-", " "])("%j is a text", (written) => {
    expect(column(written, "x")).toEqual({ kind: "text", cells: [written, "x"] });
  });
});

describe("a column", () => {
  test.each([
    ["integers", ["1", "007", "+5", " -3\t"], "int", [1n, 7n, 5n, -3n]],
    ["integers with a gap", ["1", "NA"], "float", [1, null]],
    ["a minus zero among integers", ["-0", "1"], "int", [0n, 1n]],
    ["a minus zero among integers with a gap", ["-0", ""], "float", [0, null]],
    ["a minus zero among floats", ["-0", "1.5"], "float", [-0, 1.5]],
    ["the largest integers", ["9223372036854775807", "-1"], "int", [2n ** 63n - 1n, -1n]],
    ["unsigned integers", ["9223372036854775808", "1"], "uint", [2n ** 63n, 1n]],
    ["unsigned and negative", ["9223372036854775808", "-1"], "text", ["9223372036854775808", "-1"]],
    ["unsigned and minus zero", ["-0", "9223372036854775808"], "text", ["-0", "9223372036854775808"]],
    ["unsigned with a gap", ["9223372036854775808", "NA"], "text", ["9223372036854775808", "NA"]],
    ["unsigned, negative, a float", ["9223372036854775808", "-1", "1.5"], "float", [2 ** 63, -1, 1.5]],
    [
      "unsigned, a minus sign, a float",
      ["9223372036854775808", "-x", "1.5"],
      "text",
      ["9223372036854775808", "-x", "1.5"],
    ],
    ["below 64 bits", ["-9223372036854775809", "1"], "text", ["-9223372036854775809", "1"]],
    ["below 64 bits with a gap", ["-9223372036854775809", "NA"], "text", ["-9223372036854775809", null]],
    ["below 64 bits and a float", ["-9223372036854775809", "1.5"], "float", [-(2 ** 63), 1.5]],
    ["beyond 64 bits and a float", ["18446744073709551616", "1.5"], "text", ["18446744073709551616", "1.5"]],
    [
      "digits beyond 64 bits with a fraction",
      ["18446744073709551616.5", "1.5"],
      "text",
      ["18446744073709551616.5", "1.5"],
    ],
    ["digits below 64 bits with a fraction", ["-1e0", "-9223372036854775809.5"], "float", [-1, -(2 ** 63)]],
    ["such digits first", ["-9223372036854775809.5", "1"], "text", ["-9223372036854775809.5", "1"]],
    ["digits within 64 bits with a fraction", ["18446744073709551615.5", "1"], "float", [2 ** 64, 1]],
    ["a float, then beyond 64 bits", ["1.5", "18446744073709551616"], "float", [1.5, 2 ** 64]],
    ["floats", [".5", "1.", "1e-3", " +2E5 "], "float", [0.5, 1, 0.001, 200000]],
    ["infinities", ["inf", "-Infinity", "+INF"], "float", [Infinity, -Infinity, Infinity]],
    ["an infinity with a blank", ["1.5", " inf"], "text", ["1.5", " inf"]],
    ["a float too large", ["1.5", "1e400"], "text", ["1.5", "1e400"]],
    ["a negative float too large", ["1.5", "-1e400"], "float", [1.5, -Infinity]],
    ["a float too small", ["1.5", "1e-400"], "float", [1.5, 0]],
    ["booleans", ["True", "FALSE", "true"], "bool", [true, false, true]],
    ["booleans with a gap", ["True", ""], "bool+missing", [true, null]],
    ["booleans and integers", ["True", "1"], "text", ["True", "1"]],
    ["integers and booleans", ["1", "True"], "text", ["1", "True"]],
    ["gaps only", ["", "NA"], "float", [null, null]],
    ["numbers and a text at the end", ["01", "1.50", "x"], "text", ["01", "1.50", "x"]],
    ["things that look like numbers", ["1_000", "0x10"], "text", ["1_000", "0x10"]],
  ])("of %s is what pandas makes of it", (_, cells, kind, values) => {
    expect(column(...cells)).toEqual({ kind, cells: values });
  });

  test("is read to the nearest double", () => {
    const written = ["0.1", "2.2250738585072011e-308", "9007199254740993.0", `0.${"1".repeat(100)}`];
    expect(column(...written)).toEqual({ kind: "float", cells: written.map(Number) });
  });
});

describe("carriage returns without a line feed", () => {
  test.each([
    ["a,b\r1,2\r 3,4\r", 2],
    ["a,b\n 1,2\r 3,4\r", 2],
    ["a,b\r\n 1,2\r\n 3,4\r\n 5,6\r\n", 3],
    ["a,b\r1,2\r \r3,4\r", 2],
  ])("%j is read as %d rows", (text, count) => {
    expect(read(text)).toMatchObject({ ok: true, table: { rowCount: count } });
  });

  test.each([
    "a\r1\r  2\r  3\r",
    "a,b\r1,2\r3,4\r 5,6\r",
    "a,b\r1,2\r\r 3,4\r",
    "\r a,b\r1,2\r",
    "a,b\r\r 1,2\r",
  ])("%j has a line with a leading blank on which pandas ends with an error", (text) => {
    expect(read(text)).toMatchObject({ ok: false, problem: { code: "BLANK_BEHIND_RETURN" } });
  });

  test("a leading blank in the first row of data makes pandas read the header twice", () => {
    const outcome = read("a,b\r 1,2\r3,4\r");
    const { cells } = columnContent((outcome.ok && outcome.table.column("a")) as never);
    expect(cells).toEqual(["a", " 1", "3"]);
  });

  test("behind an empty line a separator is swallowed", () => {
    const outcome = read("a,b\r\r,1,2\r");
    expect(columnContent((outcome.ok && outcome.table.column("a")) as never).cells).toEqual([1n]);
  });
});

test("short rows of a column of unsigned integers keep an empty text", () => {
  const outcome = read("b,c\n1,9223372036854775808\n2\n3,NA\n");
  const { cells } = columnContent((outcome.ok && outcome.table.column("c")) as never);
  expect(cells).toEqual(["9223372036854775808", "", "NA"]);
});

describe("a file longer than one block of rows", () => {
  const rows = (count: number, row: string) => `${row}\n`.repeat(count);
  const kinds = (text: string, name: string) => {
    const outcome = read(text);
    if (!outcome.ok) throw new Error(outcome.problem.message);
    const { kind, blocks } = outcome.table.column(name)!;
    return { kind, blocks: blocks.map(({ kind, start, end }) => `${kind} ${start}-${end}`) };
  };

  test.each([
    ["a", 524288, "1", "x"],
    ["a,b", 262144, "1,1", "x,1"],
    ["a,b,c", 262144, "1,1,1", "x,1,1"],
    ["a,b,c,d", 131072, "1,1,1,1", "x,1,1,1"],
  ])("with header %s is typed anew after %i rows", (header, block, number, text) => {
    expect(kinds(`${header}\n${rows(block, number)}${text}\n`, "a")).toEqual({
      kind: "mixed",
      blocks: [`int 0-${block}`, `text ${block}-${block + 1}`],
    });
    expect(kinds(`${header}\n${rows(block - 1, number)}${text}\n`, "a")).toEqual({
      kind: "text",
      blocks: [],
    });
  });

  test.each([
    ["1,1", "1.5,1", "float"],
    ["1,1", ",1", "float"],
    ["1,1", "9223372036854775808,1", "float"],
    ["True,1", "False,1", "bool"],
    ["True,1", ",1", "float"],
    ["0.5,1", "True,1", "float"],
    ["True,1", "2,1", "int"],
    ["True,1", "18446744073709551615,1", "uint"],
    ["x,1", ",1", "text"],
  ])("joins a block of %j with one of %j to %s", (first, second, kind) => {
    expect(kinds(`a,b\n${rows(262144, first)}${second}\n`, "a")).toEqual({ kind, blocks: [] });
  });

  test("booleans in one block are the numbers 1 and 0 beside numbers in another", () => {
    const outcome = read(`a,b\n${rows(262144, "0.25,1")}True,1\nFALSE,1\n`);
    const column = (outcome.ok && outcome.table.column("a")) as { numbers: Float64Array };
    expect([...column.numbers.subarray(262143)]).toEqual([0.25, 1, 0]);
  });

  test("gives numbers back in one block and exact texts in the other", () => {
    const outcome = read(`a,b\n${rows(262144, "01,1")}007,1\nx,1\n`);
    const { cells } = columnContent((outcome.ok && outcome.table.column("a")) as never);
    expect([cells[0], cells[262143], cells[262144], cells[262145]]).toEqual([1n, 1n, "007", "x"]);
  });

  test("keeps its places when a block must be read again in the middle of a large file", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "large.csv");
    fs.writeFileSync(file, `a,b\n${rows(262143, "12345,1")}x,1\n${rows(262144, "7,2")}8,3\n`);
    const outcome = readCsvFile(file);
    if (!outcome.ok) throw new Error(outcome.problem.message);
    expect(outcome.table.rowCount).toBe(524289);
    const { cells } = columnContent(outcome.table.column("a")!);
    expect([cells[0], cells[262143], cells[262144], cells[524288]]).toEqual(["12345", "x", 7n, 8n]);
  });
});

describe("limits", () => {
  const limits = { fieldBytes: 10, fileBytes: 100 };

  test("a file beyond the limit is refused, and the sentence names both sizes", () => {
    expect(read("a\n".repeat(60), { limits })).toEqual({
      ok: false,
      problem: { code: "FILE_TOO_LARGE", message: "The file has 120 bytes; the limit is 100." },
    });
  });

  test.each([
    ["a plain field", "a,b\n1,2\n3,12345678901\n", "data row 2", 2],
    ["a quoted field", 'a,b\n1,"xxxxxxxxxxx"\n', "data row 1", 1],
    ["the last field of a file", "a,b\n1,12345678901", "data row 1", 1],
  ])("%s beyond the limit is refused, and its row is named", (_, text, where, row) => {
    expect(read(text, { limits })).toEqual({
      ok: false,
      problem: { code: "FIELD_TOO_LONG", row, message: `A field in ${where} is longer than 10 bytes.` },
    });
  });

  test("a name beyond the limit is refused as part of the header", () => {
    expect(read("a,bbbbbbbbbbb\n1,2\n", { limits })).toEqual({
      ok: false,
      problem: { code: "FIELD_TOO_LONG", message: "A field in the header is longer than 10 bytes." },
    });
  });

  test("commas without end are refused for their number, in the header and in the first row", () => {
    const commas = ",".repeat(3_000_000);
    const start = performance.now();
    expect(read(`${commas}\n1\n`)).toEqual({
      ok: false,
      problem: { code: "TOO_MANY_COLUMNS", message: "The header has more than 100000 columns." },
    });
    expect(read(`a,b\n${commas}\n`)).toMatchObject({ ok: false, problem: { code: "TOO_MANY_COLUMNS" } });
    expect(read(`a,b\n1,2\n${commas}\n`)).toMatchObject({ ok: false, problem: { code: "RAGGED_ROW" } });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(read(`${",".repeat(9_999)}\n`).ok).toBe(true);
  });

  test("a field at the limit is read", () => {
    expect(read("a,b\n1,1234567890\n", { limits }).ok).toBe(true);
  });

  test("a field larger than the window of a large file is refused without reading all of it", () => {
    const file = path.join(temporaryFolder(), "endless.csv");
    fs.writeFileSync(file, `a,b\n1,${"x".repeat(5 * 2 ** 20)}`);
    const outcome = readCsvFile(file, { limits: { fieldBytes: 2 ** 20, fileBytes: 2 ** 30 } });
    expect(outcome).toMatchObject({ ok: false, problem: { code: "FIELD_TOO_LONG", row: 1 } });
  });
});

describe("a broken file", () => {
  test.each([
    ['a,b\n1,"2\n3,4\n', { code: "OPEN_QUOTE", row: 1 }],
    ['a,"b\n1,2\n', { code: "OPEN_QUOTE" }],
  ])("%j is not a table, and the place is named", (text, problem) => {
    expect(read(text)).toMatchObject({ ok: false, problem });
  });

  test("with bytes that are not UTF-8 is not a table", () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])
      expect(readCsvBytes(Buffer.from([97, 10, 49, ...bytes, 10]))).toMatchObject({
        ok: false,
        problem: { code: "NOT_UTF8" },
      });
  });

  test("that does not exist is unreadable, not an exception", () => {
    expect(readCsvFile("/nonexistent/file.csv")).toMatchObject({
      ok: false,
      problem: { code: "UNREADABLE" },
    });
  });
});

describe("a file made to hurt", () => {
  test.each(["9", "0", " ", "0.", "-"])(
    "with a huge cell that is almost a number, of %j, is read at once",
    (piece) => {
      const start = performance.now();
      const cell = `${piece.repeat(300_000)}x`;
      expect(column(cell)).toEqual({ kind: "text", cells: [cell] });
      expect(performance.now() - start).toBeLessThan(3000);
    },
  );

  test("with half a million fields more in the first row than in the header is a table with row labels", () => {
    const outcome = read(`a,b\n${",".repeat(500_000)}\n`);
    expect(outcome.ok && outcome.table.rowLabels?.length).toBe(1);
  });

  test("with twenty thousand columns of text takes memory for its bytes, not for its bytes times its columns", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `c${i}`);
    const row = names.map(() => "x").join(",");
    const before = process.memoryUsage().arrayBuffers;
    const outcome = read(`${names.join(",")}\n${`${row}\n`.repeat(5)}`);
    expect(outcome.ok && outcome.table.column("c19999")?.kind).toBe("text");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 27);
  });

  test("that starts with a million empty lines allocates for the rows it has", () => {
    const before = process.memoryUsage().arrayBuffers;
    const file = path.join(temporaryFolder(), "empty-lines.csv");
    fs.writeFileSync(file, `a,b\n${"\n".repeat(2 ** 20)}1,${"x".repeat(2 ** 25)}\n`);
    expect(readCsvFile(file).ok).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 29);
  });
});
