import type { Import } from "../outline/outline.ts";
import { importedModule, submodule } from "./find-module.ts";
import type { ModuleTable } from "./modules.ts";

/** What a name stands for: a module, or one of its definitions. */
export type Target = { module: number; definition: number | null };

const MAX_STEPS = 20;
const MAX_BASES = 50;

/** Follows names through definitions, imports, re-exports and star imports; bounded, because imports may go in circles. */
export function nameResolver(table: ModuleTable) {
  const tops = table.modules.map(({ outline }) => {
    const names = new Map<string, number>();
    // The last definition of a name is the one that stands.
    for (const [index, { parent, name }] of outline.definitions.entries())
      if (parent === -1) names.set(name, index);
    return names;
  });
  const imports = table.modules.map(({ outline }) => groupImports(outline.imports));
  const stars = table.modules.map(({ outline }) =>
    outline.imports.filter(({ name, scope }) => name === "*" && scope === -1),
  );
  const members = new Map<string, Map<string, number>>();

  function membersOf(module: number, definition: number): Map<string, number> {
    const key = `${module}:${definition}`;
    let found = members.get(key);
    if (!found) {
      found = new Map();
      for (const [index, { parent, name }] of table.modules[module].outline.definitions.entries())
        if (parent === definition) found.set(name, index);
      members.set(key, found);
    }
    return found;
  }

  /** A name at the top of a module, as somebody who imports it sees it. */
  function inModule(module: number, name: string, steps = 0): Target | null {
    if (steps > MAX_STEPS) return null;
    const own = tops[module].get(name);
    if (own !== undefined) return { module, definition: own };
    for (const entry of imports[module].get(`-1:${name}`) ?? []) {
      const target = ofImport(module, entry, steps + 1);
      if (target) return target;
    }
    for (const star of stars[module]) {
      if (name.startsWith("_")) break;
      const source = importedModule(table, table.modules[module], star);
      const target = source === null || source === module ? null : inModule(source, name, steps + 1);
      if (target) return target;
    }
    const below = submodule(table, table.modules[module], name);
    return below === null ? null : { module: below, definition: null };
  }

  function ofImport(module: number, entry: Import, steps = 0): Target | null {
    const source = importedModule(table, table.modules[module], entry);
    if (entry.name === null) {
      // `import a.b` binds `a`, unless it is renamed.
      const bindsFirst = entry.alias === entry.module && entry.module.includes(".");
      const named = bindsFirst ? (table.byName.get(entry.module.split(".")[0]) ?? null) : source;
      return named === null ? null : { module: named, definition: null };
    }
    if (source === null) return fromNamespace(entry);
    // `from . import x` inside the package's own __init__ means the submodule.
    if (source === module) {
      const below = submodule(table, table.modules[module], entry.name);
      return below === null ? null : { module: below, definition: null };
    }
    return inModule(source, entry.name, steps + 1);
  }

  /** `from folder import module` where the folder has no __init__.py. */
  function fromNamespace({ module, level, name }: Import): Target | null {
    const found = level === 0 && name !== "*" ? table.byName.get(`${module}.${name}`) : undefined;
    return found === undefined ? null : { module: found, definition: null };
  }

  /** A member of a class or of one of its bases, nearest first. */
  function inClass(module: number, definition: number, name: string, skipOwn = false): Target | null {
    const waiting: Target[] = [{ module, definition }];
    const seen = new Set<string>();
    for (let at = 0; at < waiting.length && at < MAX_BASES; at++) {
      const { module: m, definition: d } = waiting[at];
      if (d === null || seen.has(`${m}:${d}`)) continue;
      seen.add(`${m}:${d}`);
      if (!(skipOwn && at === 0)) {
        const own = membersOf(m, d).get(name);
        if (own !== undefined) return { module: m, definition: own };
      }
      const bases = table.modules[m].outline.definitions[d].bases.flatMap(
        (base) => ofPath(m, d, base.split(".")) ?? [],
      );
      // Depth first, as Python's order is where no base is shared.
      waiting.splice(at + 1, 0, ...bases);
    }
    return null;
  }

  /** `a.b.c` as seen from inside a definition of a module. */
  function ofPath(module: number, scope: number, parts: readonly string[]): Target | null {
    let target = inScope(module, scope, parts[0]);
    for (const part of parts.slice(1)) {
      if (target === null) return null;
      const { module: m, definition } = target as Target;
      if (definition === null) target = inModule(m, part);
      else if (table.modules[m].outline.definitions[definition].kind === "class")
        target = inClass(m, definition, part);
      else return null;
    }
    return target;
  }

  /** A bare name by Python's rules: the functions around, without their classes, then the module. */
  function inScope(module: number, scope: number, name: string): Target | null {
    const { outline } = table.modules[module];
    for (let at = scope; at !== -1; at = outline.definitions[at].parent) {
      const around = outline.definitions[at];
      // A class body is not a scope for what is nested in it.
      if (around.kind === "class" && at !== scope) continue;
      const nested = membersOf(module, at).get(name);
      if (nested !== undefined) return { module, definition: nested };
      const local = imports[module].get(`${at}:${name}`);
      if (local) return ofImport(module, local[local.length - 1]);
      if (around.bound.has(name)) return null;
    }
    const isOurs = tops[module].has(name) || imports[module].has(`-1:${name}`);
    return !isOurs && outline.bound.has(name) ? null : inModule(module, name);
  }

  return { inModule, inClass, ofImport, ofPath };
}

export type NameResolver = ReturnType<typeof nameResolver>;

/** By scope and the name they bind. */
function groupImports(list: readonly Import[]): Map<string, Import[]> {
  const groups = new Map<string, Import[]>();
  for (const entry of list) {
    if (entry.name === "*") continue;
    const bound =
      entry.name === null && entry.alias === entry.module ? entry.module.split(".")[0] : entry.alias;
    const key = `${entry.scope}:${bound}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
