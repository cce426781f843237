import path from "node:path";

/** The languages we have a grammar for. */
export const LANGUAGES = ["python", "javascript", "r"] as const;
export type LanguageName = (typeof LANGUAGES)[number];

/** What a source file is written in. A notebook is JSON whose code cells are in a language of their own. */
export type SourceKind = LanguageName | "notebook";

const BY_EXTENSION: Record<string, SourceKind> = {
  ".py": "python",
  ".pyi": "python",
  ".pyw": "python",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascript",
  ".r": "r",
  ".ipynb": "notebook",
};

/** What a file's name says it is written in; null for everything we do not parse. */
export function languageOf(fileName: string): SourceKind | null {
  return BY_EXTENSION[path.posix.extname(fileName.replaceAll("\\", "/")).toLowerCase()] ?? null;
}
