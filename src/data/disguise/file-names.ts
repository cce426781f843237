import { tellingPart } from "./text.ts";

/**
 * Other names for files and folders that name the source, each by what the agent sees. Below a folder files are often
 * called by ids, which tables name and which must come back; so only folders and what lies at the top are renamed.
 */
export function fileNames(files: readonly string[], words: readonly string[]): Map<string, string> {
  const parts = files.map((file) => file.split("/"));
  const taken = new Set(parts.flat());
  const names = new Map<string, string>();
  const telling = tellingPart(words);
  for (const own of new Set(parts.flatMap((all) => (all.length === 1 ? all : all.slice(0, -1))))) {
    const plain = own.replace(telling, "source");
    if (plain === own) continue;
    let shown = plain;
    for (let count = 2; taken.has(shown); count++) shown = plain.replace("source", `source${count}`);
    taken.add(shown);
    names.set(own, shown);
  }
  return names;
}

export function shownPath(file: string, names: ReadonlyMap<string, string>): string {
  const parts = file.split("/");
  const last = parts.length - 1;
  return parts.map((part, i) => (i < last || last === 0 ? (names.get(part) ?? part) : part)).join("/");
}
