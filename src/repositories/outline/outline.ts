import type { LanguageName } from "../parse/languages.ts";

/** A class, function or method. */
export interface Definition {
  kind: "class" | "function" | "method";
  name: string;
  /** With the classes and functions around it: `Forest.fit`. */
  qualified: string;
  /** The definition around it; -1 at the top of a module. */
  parent: number;
  /** From 1, with the first decorator. */
  line: number;
  endLine: number;
  /** `fit(self, X, y=None) -> Forest`, or the name with the bases of a class. */
  signature: string;
  /** The first sentence or so of its documentation. */
  doc: string;
  /** As written: `Base`, `module.Base`. */
  bases: string[];
  decorators: string[];
  /** Names bound inside by something else than a definition or an import: calls through them lead nowhere we know. */
  bound: Set<string>;
  /** What a method calls its own object by; null for static methods and plain functions. */
  self: string | null;
}

export interface Import {
  /** `a.b`, or "" for `from . import x`. */
  module: string;
  /** Dots before the name; 0 for an absolute one. */
  level: number;
  /** What is taken from it: a name, `*`, or null for the module itself. */
  name: string | null;
  /** What it is called here. */
  alias: string;
  /** Where: the definition it stands in, -1 at the top. */
  scope: number;
  line: number;
}

export interface Call {
  /** -1 at the top of a module. */
  caller: number;
  /** `f`, `np.mean`, `self.fit`, `super().fit`. */
  callee: string;
  line: number;
}

/** An option of a command line that a script declares. */
export interface CommandOption {
  name: string;
  help: string;
}

/** What a source file declares, imports and calls. */
export interface Outline {
  language: LanguageName;
  lines: number;
  doc: string;
  definitions: Definition[];
  imports: Import[];
  calls: Call[];
  /** Names bound at the top by something else than a definition or an import. */
  bound: Set<string>;
  /** Lines that branch, and how deep blocks are nested. */
  branches: number;
  nesting: number;
  /** It runs something when it is started: `if __name__ == "__main__"`. */
  isScript: boolean;
  options: CommandOption[];
  /** The parser met something it did not understand. */
  damaged: boolean;
}

/**
 * What is known of a file before its tree is walked. The tree itself stays outside: programs that use the package have
 * the types of an outline, and not the parser's.
 */
export function beginOutline(language: LanguageName, damaged: boolean, text: string): Outline {
  return {
    language,
    lines: countLines(text),
    doc: "",
    definitions: [],
    imports: [],
    calls: [],
    bound: new Set(),
    branches: 0,
    nesting: 0,
    isScript: false,
    options: [],
    damaged,
  };
}

/** One line of at most so many characters. */
export function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

/** Which definitions a walk stands in, by the depth of the nodes that began them. */
export function openScopes({ definitions }: Outline) {
  const open: { depth: number; definition: number }[] = [];
  return {
    /** The innermost definition; -1 at the top. */
    current: () => open.at(-1)?.definition ?? -1,
    depth: () => open.length,
    enter(definition: Definition, depth: number): void {
      open.push({ depth, definition: definitions.length });
      definitions.push(definition);
    },
    leave(depth: number): void {
      if (open.at(-1)?.depth === depth) open.pop();
    },
  };
}

function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    lines++;
  return lines;
}
