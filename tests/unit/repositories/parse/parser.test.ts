import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES, type LanguageName, languageOf } from "../../../../src/repositories/parse/languages.ts";
import { parserFor } from "../../../../src/repositories/parse/parser.ts";
import { walkTree } from "../../../../src/repositories/parse/walk-tree.ts";

describe("parsing source", () => {
  it.each([
    ["python", "def f(x):\n    return g(x)\n", "function_definition"],
    ["javascript", "function f(x) { return g(x); }\n", "function_declaration"],
    ["r", "f <- function(x) g(x)\n", "function_definition"],
  ] as const)("%s gives a tree with its functions", async (language, text, kind) => {
    const outcome = (await parserFor(language)).parse(text);
    if (outcome.status !== "parsed") throw new Error(outcome.status);
    const kinds = new Set<string>();
    walkTree(outcome.tree, (cursor) => {
      kinds.add(cursor.nodeType);
      return "enter";
    });
    expect(outcome.tree.rootNode.hasError).toBe(false);
    outcome.tree.delete();
    expect([...kinds]).toContain(kind);
  });

  it("names tell the language; what we cannot parse has none", () => {
    expect(["a/b.py", "x.R", "C:\\n.IPYNB", "m.mjs", "README.md", "py", ".py"].map(languageOf)).toEqual([
      "python",
      "r",
      "notebook",
      "javascript",
      null,
      null,
      null,
    ]);
  });

  it("every node is entered and left once, in source order", async () => {
    const outcome = (await parserFor("python")).parse("a(b)\n");
    if (outcome.status !== "parsed") throw new Error(outcome.status);
    const trace: string[] = [];
    walkTree(
      outcome.tree,
      (cursor, depth) => {
        trace.push(`${depth}+${cursor.nodeType}`);
        return cursor.nodeType === "argument_list" ? "skip" : "enter";
      },
      (cursor, depth) => trace.push(`${depth}-${cursor.nodeType}`),
    );
    outcome.tree.delete();
    expect(trace).toEqual([
      "0+module",
      "1+expression_statement",
      "2+call",
      "3+identifier",
      "3-identifier",
      "3+argument_list",
      "2-call",
      "1-expression_statement",
      "0-module",
    ]);
  });
});

describe("files written to hurt", () => {
  const hostile: Record<string, string> = {
    "deep parentheses": "(".repeat(100_000) + ")".repeat(100_000),
    "a long chain of attributes": `a${".b".repeat(200_000)}`,
    "unclosed brackets": "[".repeat(200_000),
    zeros: "\0".repeat(200_000),
    "emoji and quotes": "\u{1F600}\0'\"".repeat(30_000),
    "half a surrogate": "\uD800x = '\uDC00'\n".repeat(1000),
  };
  it.each(LANGUAGES.flatMap((language) => Object.keys(hostile).map((name) => [language, name] as const)))(
    "%s: %s end within the limits, and the next file parses",
    async (language, name) => {
      const parser = await parserFor(language);
      const outcome = parser.parse(hostile[name], { milliseconds: 2000 });
      if (outcome.status === "parsed") {
        let nodes = 0;
        walkTree(outcome.tree, () => {
          nodes++;
          return "enter";
        });
        expect(nodes).toBeGreaterThan(0);
        outcome.tree.delete();
      } else expect(outcome.status).toBe("too-slow");
      expectParses(language, parser.parse("f(1)\n").status);
    },
  );

  it("a text above the limit is refused by its size, and one above the time by its time", async () => {
    const parser = await parserFor("python");
    expect(parser.parse("x".repeat(101), { characters: 100 })).toEqual({
      status: "too-large",
      characters: 101,
      limit: 100,
    });
    const slow = parser.parse("f(1)\n".repeat(200_000), { milliseconds: 1 });
    expect(slow.status).toBe("too-slow");
    expectParses("python", parser.parse("f(1)\n").status);
  });
});

it("the build lays out the same grammars the sources use", () => {
  const built = path.resolve("dist/grammars");
  const of = (file: string) => fs.readFileSync(file);
  expect(fs.readdirSync(built).sort()).toEqual([
    "LICENSES",
    "javascript.wasm",
    "parser.wasm",
    "python.wasm",
    "r.wasm",
  ]);
  expect(of(`${built}/parser.wasm`).equals(of("node_modules/web-tree-sitter/web-tree-sitter.wasm"))).toBe(
    true,
  );
  expect(of(`${built}/r.wasm`).equals(of("src/repositories/parse/grammars/tree-sitter-r.wasm"))).toBe(true);
});

function expectParses(language: LanguageName, status: string): void {
  expect({ language, status }).toEqual({ language, status: "parsed" });
}
