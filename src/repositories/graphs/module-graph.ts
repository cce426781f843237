import { importedModule, submodule } from "./find-module.ts";
import type { ModuleTable } from "./modules.ts";
import type { NameResolver } from "./resolve-name.ts";

/** Which modules a module needs, and the names of what is not in the repository. */
export interface ModuleGraph {
  /** Sorted, without itself. */
  imports: number[][];
  importedBy: number[][];
  outside: string[][];
}

/**
 * A needs B if it imports B, something that B defines (wherever it is re-exported), or a module below B. Both the module
 * named in the statement and the one that defines the name count.
 */
export function moduleGraph(table: ModuleTable, names: NameResolver): ModuleGraph {
  const imports = table.modules.map(() => new Set<number>());
  const outside = table.modules.map(() => new Set<string>());
  for (const [index, module] of table.modules.entries()) {
    for (const entry of module.outline.imports) {
      const named = importedModule(table, module, entry);
      const target = entry.name === "*" || entry.name === null ? null : names.ofImport(index, entry);
      if (named === null && target === null) {
        if (entry.level === 0) outside[index].add(entry.module.split(/[./]/)[0]);
        continue;
      }
      // `from package import module` needs the module; the package only gives the place.
      const isBelow =
        entry.name !== null &&
        named !== null &&
        submodule(table, table.modules[named], entry.name) === target?.module;
      if (named !== null && !(isBelow && target?.definition === null)) imports[index].add(named);
      if (target !== null) imports[index].add(target.module);
    }
    imports[index].delete(index);
  }
  const importedBy = table.modules.map(() => [] as number[]);
  const sorted = imports.map((set) => [...set].sort((a, b) => a - b));
  for (const [from, list] of sorted.entries()) for (const to of list) importedBy[to].push(from);
  return { imports: sorted, importedBy, outside: outside.map((set) => [...set].sort()) };
}
