import path from "node:path";
import type { Import } from "../outline/outline.ts";
import { folderOf, type Module, type ModuleTable } from "./modules.ts";

/** The module an import names, in whatever way its language finds one; null for what is not in the repository. */
export function importedModule(table: ModuleTable, from: Module, { module, level }: Import): number | null {
  if (from.outline.language === "javascript")
    return level === 0 ? null : javascriptModule(table, from, module);
  if (from.outline.language === "r") return level === 0 ? null : rModule(table, from, module);
  if (level > 0) return relativeModule(table, from, module, level);
  return table.byName.get(module) ?? siblingModule(table, from, module);
}

/** A module below another: `package` and `name` make `package/name.py` or `package/name/__init__.py`. */
export function submodule(table: ModuleTable, parent: Module, name: string): number | null {
  if (path.posix.basename(parent.path) !== "__init__.py") return null;
  return moduleIn(table, folderOf(parent.path), name);
}

function moduleIn(table: ModuleTable, folder: string, dotted: string): number | null {
  const below = dotted === "" ? folder : join(folder, dotted.replaceAll(".", "/"));
  const found = [`${below}.py`, join(below, "__init__.py")].map((file) => table.byPath.get(file));
  return found.find((index) => index !== undefined) ?? null;
}

function relativeModule(table: ModuleTable, from: Module, dotted: string, level: number): number | null {
  let folder: string | null = folderOf(from.path);
  for (let up = 1; up < level; up++) folder = folder === "" || folder === null ? null : folderOf(folder);
  return folder === null ? null : moduleIn(table, folder, dotted);
}

/** A script finds what lies in its own folder. Inside a package Python 3 does not look there. */
function siblingModule(table: ModuleTable, from: Module, dotted: string): number | null {
  const folder = folderOf(from.path);
  if (table.byPath.has(join(folder, "__init__.py"))) return null;
  const found = moduleIn(table, folder, dotted);
  return found !== null && table.modules[found] === from ? null : found;
}

function javascriptModule(table: ModuleTable, from: Module, specifier: string): number | null {
  const target = path.posix.join(folderOf(from.path), specifier);
  const tries = ["", ".js", ".mjs", ".cjs", ".jsx", "/index.js", "/index.mjs"];
  for (const ending of tries) {
    const found = table.byPath.get(`${target}${ending}`);
    if (found !== undefined) return found;
  }
  return null;
}

/** `source("R/a.R")` is relative to where R was started: the script's folder or the root. */
function rModule(table: ModuleTable, from: Module, file: string): number | null {
  const beside = path.posix.join(folderOf(from.path), file);
  return table.byPath.get(beside) ?? table.byPath.get(path.posix.normalize(file)) ?? null;
}

const join = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);
