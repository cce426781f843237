import path from "node:path";
import type { RepositoryFile } from "../source/walk-files.ts";

export interface Requirement {
  name: string;
  /** `>=1.2,<2`, or "" for any. */
  versions: string;
  file: string;
}

export interface Requirements {
  list: Requirement[];
  /** Lines that no tool would understand, at most twenty. */
  damaged: { file: string; line: string }[];
}

/** Each of these reads a line once, whatever stands in it: one pattern for all of it could take for ever. */
const LINE = /^([A-Za-z0-9][\w.-]{0,99})(?:\[[\w, -]*\])?\s*([<>=!~][^;]*)?(?:;.*)?$/;
const CONDITION = /^(===|[<>=!~]=?)[\w.*+-][\w.*+!-]*$/;
const MAX_LINE = 500;
/** Packaging that is longer is no packaging, and is searched from every place in it. */
const MAX_TEXT = 100_000;
const MAX_LISTED = 500;

/** What a repository says it needs. Files are read, never run: a `setup.py` that does not end is only text. */
export function findRequirements(
  files: readonly RepositoryFile[],
  read: (file: string) => string | null,
): Requirements {
  const list: Requirement[] = [];
  const damaged: Requirements["damaged"] = [];
  for (const { path: file } of files) {
    if (file.split("/").length > 2) continue;
    const lines = linesOf(path.posix.basename(file), () => (read(file) ?? "").slice(0, MAX_TEXT));
    for (const line of lines ?? []) {
      const found = requirementIn(line);
      if (found && list.length < MAX_LISTED) list.push({ ...found, file });
      else if (!found && damaged.length < 20) damaged.push({ file, line: line.slice(0, 120) });
    }
  }
  return { list, damaged };
}

function requirementIn(line: string): Omit<Requirement, "file"> | null {
  const [, name, conditions = ""] = (line.length <= MAX_LINE && LINE.exec(line)) || [];
  const versions = conditions.replace(/\s+/g, "").replace(/,$/, "");
  const each = versions === "" ? [] : versions.split(/,|(?<=[\w*.])(?=[<>=~])/);
  if (name === undefined || !each.every((one) => CONDITION.test(one))) return null;
  return { name: name.toLowerCase(), versions };
}

function linesOf(name: string, read: () => string): string[] | null {
  if (/^requirements[\w.-]*\.(txt|in)$/i.test(name)) return plainLines(read());
  if (name === "setup.py") return quoted(/install_requires\s*=\s*\[([^\]]*)\]/.exec(read())?.[1]);
  if (name === "pyproject.toml")
    return quoted(
      /^dependencies\s*=\s*\[([\s\S]*?)^\]|^dependencies\s*=\s*\[([^\]\n]*)\]/m
        .exec(read())
        ?.slice(1)
        .join(""),
    );
  if (name === "setup.cfg")
    return plainLines(/^install_requires\s*=((?:\n[ \t]+[^\n]*|[^\n]*)*)/m.exec(read())?.[1] ?? "");
  if (/^environment\.ya?ml$/.test(name))
    return [...read().matchAll(/^\s*-\s+([A-Za-z][\w.-]*)\s*(?:[=<>][^\n]*)?$/gm)].map(([, found]) => found);
  if (name === "package.json") return packageJson(read());
  return null;
}

function plainLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("-") && !/^(git\+|https?:|file:|\.)/.test(line));
}

const quoted = (text: string | undefined) =>
  [...(text ?? "").matchAll(/["']([^"']+)["']/g)].map(([, found]) => found);

function packageJson(text: string): string[] {
  try {
    const { dependencies } = JSON.parse(text) as { dependencies?: Record<string, unknown> };
    return Object.keys(dependencies ?? {}).map((name) => name.replace(/^@/, "").replace("/", "-"));
  } catch {
    return [];
  }
}
