import type { RepositoryMap } from "../map/repository-map.ts";

export interface Found {
  module: number;
  definition: number;
}

/** Definitions by `name`, `Class.name`, `module.name` or `path:name`, exact matches first. */
export function findDefinitions(map: RepositoryMap, query: string): Found[] {
  const [file, symbol] = query.includes(":") ? splitAt(query, query.lastIndexOf(":")) : ["", query];
  const all: (Found & { exact: boolean })[] = [];
  for (const [module, { path, name, outline }] of map.modules.entries()) {
    if (file !== "" && path !== file && !path.endsWith(`/${file}`)) continue;
    for (const [definition, { qualified }] of outline.definitions.entries()) {
      const exact = qualified === symbol || `${name}.${qualified}` === symbol;
      if (exact || qualified.endsWith(`.${symbol}`) || `${name}.${qualified}`.endsWith(`.${symbol}`))
        all.push({ module, definition, exact });
    }
  }
  const exact = all.filter((one) => one.exact);
  return exact.length > 0 ? exact : all;
}

export function nameOf(map: RepositoryMap, { module, definition }: Found): string {
  const { path, outline } = map.modules[module];
  return definition === -1 ? path : `${path}:${outline.definitions[definition].qualified}`;
}

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)];
