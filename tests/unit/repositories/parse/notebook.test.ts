import { describe, expect, it } from "vitest";
import { notebookSource } from "../../../../src/repositories/parse/notebook.ts";

const code = (source: string | string[]) => ({ cell_type: "code", source });

describe("a notebook's code", () => {
  it("is its code cells, each line with its origin; magics are comments of the same length", () => {
    const notebook = {
      cells: [
        { cell_type: "markdown", source: "# Title" },
        code(["%matplotlib inline\n", "import pandas as pd\n", "  !pip install x"]),
        code("df.head?\nprint(1)"),
        code("%%bash\nrm -rf x"),
        code("%%time\ny = 2"),
      ],
      metadata: { kernelspec: { language: "python" } },
    };
    const read = notebookSource(JSON.stringify(notebook));
    if (read.status !== "read") throw new Error(read.reason);
    expect(read.text.split("\n")).toEqual([
      "#matplotlib inline",
      "import pandas as pd",
      "  #pip install x",
      "",
      "#f.head?",
      "print(1)",
      "",
      "#%bash",
      "#m -rf x",
      "",
      "#%time",
      "y = 2",
      "",
    ]);
    expect(read.language).toBe("python");
    expect(read.lines).toHaveLength(13);
    expect(read.lines[1]).toEqual({ cell: 2, line: 2 });
    expect(read.lines[11]).toEqual({ cell: 5, line: 2 });
  });

  it("of version 3 stands in worksheets, and a kernel's language is known", () => {
    const three = { worksheets: [{ cells: [{ cell_type: "code", input: ["x <- 1"] }] }], metadata: {} };
    expect(notebookSource(JSON.stringify(three))).toMatchObject({ status: "read", text: "x <- 1\n" });
    const inR = { cells: [code("x <- 1")], metadata: { language_info: { name: "R" } } };
    expect(notebookSource(JSON.stringify(inR))).toMatchObject({ language: "r" });
    const julia = { cells: [], metadata: { language_info: { name: "julia" } } };
    expect(notebookSource(JSON.stringify(julia))).toMatchObject({ language: null, text: "" });
  });

  it.each([
    ["", "is not JSON"],
    ["[1]", "has no list of cells"],
    ['{"cells": 3}', "has no list of cells"],
    ["null", "has no list of cells"],
  ])("%j is refused with a reason", (text, reason) => {
    expect(notebookSource(text)).toEqual({ status: "unreadable", reason });
  });

  it("survives cells of any shape", () => {
    const odd = {
      cells: [null, 1, "x", [], { cell_type: "code" }, code([1, "a\n"] as string[]), { __proto__: null }],
    };
    expect(notebookSource(JSON.stringify(odd))).toMatchObject({ status: "read", text: "a\n\n" });
  });
});
