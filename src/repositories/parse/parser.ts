import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Parser, Tree } from "web-tree-sitter";
import type { LanguageName } from "./languages.ts";

/** What a file that was written to hurt may cost. Real source files stay far below. */
export interface ParseLimits {
  characters: number;
  milliseconds: number;
}
const PARSE_LIMITS: ParseLimits = { characters: 2_000_000, milliseconds: 5000 };

/**
 * A syntax tree, or why there is none. A tree is made of damaged source too (`rootNode.hasError`). It lives outside the
 * collected memory: whoever asked for it calls `tree.delete()`. It may be half a million levels deep: walk it with
 * `walkTree`, never by recursion.
 */
export type Parsed =
  | { status: "parsed"; tree: Tree }
  | { status: "too-large"; characters: number; limit: number }
  | { status: "too-slow"; milliseconds: number }
  | { status: "failed"; message: string };

export interface SourceParser {
  language: LanguageName;
  parse(text: string, limits?: Partial<ParseLimits>): Parsed;
}

const loaded = new Map<LanguageName, Promise<SourceParser>>();
let library: Promise<typeof import("web-tree-sitter")> | null = null;

/** The parser of a language. Library and grammar are loaded with the first call, and then kept. */
export function parserFor(language: LanguageName): Promise<SourceParser> {
  let parser = loaded.get(language);
  if (!parser) {
    parser = load(language);
    loaded.set(language, parser);
  }
  return parser;
}

async function load(language: LanguageName): Promise<SourceParser> {
  library ??= loadLibrary();
  const { Language, Parser } = await library;
  const parser = new Parser();
  parser.setLanguage(await Language.load(readGrammar(language)));
  return { language, parse: (text, limits) => parse(parser, text, { ...PARSE_LIMITS, ...limits }) };
}

async function loadLibrary(): Promise<typeof import("web-tree-sitter")> {
  const module = await import("web-tree-sitter");
  // Given as bytes: the library would otherwise look for the file beside itself, which a bundle is not.
  await module.Parser.init({ wasmBinary: readGrammar("parser") });
  return module;
}

function parse(parser: Parser, text: string, limits: ParseLimits): Parsed {
  if (text.length > limits.characters)
    return { status: "too-large", characters: text.length, limit: limits.characters };
  const started = performance.now();
  try {
    const tree = parser.parse(text, null, {
      progressCallback: () => performance.now() - started > limits.milliseconds,
    });
    if (tree) return { status: "parsed", tree };
    // Otherwise the next text would be taken for the rest of this one.
    parser.reset();
    return { status: "too-slow", milliseconds: limits.milliseconds };
  } catch (error) {
    parser.reset();
    return { status: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

declare const __GRAMMARS_FOLDER__: string | undefined;

/**
 * The parser's own WebAssembly or that of a grammar. The build puts them into one folder, and a copy into the folder of
 * an agent that parses, because nothing else of the package enters a sandbox; run from source they come from where npm
 * put them.
 */
function readGrammar(name: LanguageName | "parser"): Uint8Array {
  return fs.readFileSync(grammarFile(name));
}

function grammarFile(name: LanguageName | "parser"): string {
  if (typeof __GRAMMARS_FOLDER__ !== "undefined")
    return fileURLToPath(new URL(`${__GRAMMARS_FOLDER__}${name}.wasm`, import.meta.url));
  const require = createRequire(import.meta.url);
  if (name === "parser") return require.resolve("web-tree-sitter/web-tree-sitter.wasm");
  if (name === "r") return fileURLToPath(new URL("./grammars/tree-sitter-r.wasm", import.meta.url));
  const folder = path.dirname(require.resolve("@vscode/tree-sitter-wasm/package.json"));
  return path.join(folder, "wasm", `tree-sitter-${name}.wasm`);
}
