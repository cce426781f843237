import type { Call } from "../outline/outline.ts";
import type { Module, ModuleTable } from "./modules.ts";
import type { NameResolver, Target } from "./resolve-name.ts";

/** One call whose target is known. A definition of -1 is the top of a module. */
export interface CallEdge {
  fromModule: number;
  from: number;
  toModule: number;
  to: number;
  line: number;
}

/**
 * The calls we can follow without running anything: by name, through imports, on `self`, `cls`, `super()` and on
 * classes and modules by name. A call through a variable leads nowhere; guessing by the method's name would be wrong as
 * often as right.
 */
export function callGraph(table: ModuleTable, names: NameResolver): CallEdge[] {
  const edges: CallEdge[] = [];
  for (const [index, module] of table.modules.entries()) {
    for (const call of module.outline.calls) {
      const target =
        module.outline.language === "python"
          ? pythonTarget(table, names, index, call)
          : plainTarget(index, module, call);
      if (target !== null && target.definition !== null)
        edges.push({
          fromModule: index,
          from: call.caller,
          toModule: target.module,
          to: target.definition,
          line: call.line,
        });
    }
  }
  return edges;
}

function pythonTarget(table: ModuleTable, names: NameResolver, module: number, call: Call): Target | null {
  const { definitions } = table.modules[module].outline;
  const parts = call.callee.split(".");
  const method = methodAround(table.modules[module], call.caller);
  if (method !== null && parts.length === 2) {
    const { self, parent } = definitions[method];
    if (parts[0] === "super()") return names.inClass(module, parent, parts[1], true);
    if (parts[0] === self) return names.inClass(module, parent, parts[1]);
  }
  if (parts[0] === "super()") return null;
  return names.ofPath(module, call.caller, parts);
}

/** The method a call stands in, also when it stands in a function nested there. */
function methodAround({ outline }: Module, caller: number): number | null {
  for (let at = caller; at !== -1; at = outline.definitions[at].parent) {
    if (outline.definitions[at].kind === "class") return null;
    if (outline.definitions[at].kind === "method") return at;
  }
  return null;
}

/** In other languages: a function of the same file by its name. */
function plainTarget(index: number, { outline }: Module, { callee }: Call): Target | null {
  const name = callee.replace(/^this\./, "");
  const definition = outline.definitions.findLastIndex((one) => one.name === name);
  return definition === -1 ? null : { module: index, definition };
}
