import path from "node:path";
import type { Outline } from "../outline/outline.ts";
import type { CellLine } from "../parse/notebook.ts";

/** One source file and its place among the others. */
export interface Module {
  /** Relative to the root of the repository. */
  path: string;
  /** As an import names it: `package.module`; for other languages than Python the path. */
  name: string;
  outline: Outline;
  /** For notebooks: where each line stands. */
  cells: CellLine[] | null;
}

/** Finds modules by path and by the names an import may use. */
export interface ModuleTable {
  modules: Module[];
  byPath: Map<string, number>;
  byName: Map<string, number>;
}

const NOT_A_NAME = /[^\p{L}\p{Nd}_.]/u;

/**
 * The name Python gives a file: from the topmost folder that is a package without a gap. So `src/pkg/mod.py` is
 * `pkg.mod`. If the root itself is a package, its own folder's name is the first part.
 */
function moduleName(file: string, packages: ReadonlySet<string>, rootName: string): string {
  const parts = file.replace(/\.(py|pyi|pyw)$/, "").split("/");
  let first = parts.length - 1;
  while (first > 0 && packages.has(parts.slice(0, first).join("/"))) first--;
  const names = parts.slice(first);
  if (first === 0 && packages.has("")) names.unshift(rootName);
  if (names.length > 1 && names.at(-1) === "__init__") names.pop();
  return names.join(".");
}

export function tableOf(
  sources: readonly { path: string; outline: Outline; cells: CellLine[] | null }[],
  rootName: string,
): ModuleTable {
  const packages = new Set(
    sources.flatMap(({ path: file }) =>
      path.posix.basename(file) === "__init__.py" ? [folderOf(file)] : [],
    ),
  );
  const modules = sources.map((source) => ({
    ...source,
    name:
      source.outline.language === "python" && !source.cells
        ? moduleName(source.path, packages, rootName)
        : source.path,
  }));
  const byPath = new Map(modules.map((module, index) => [module.path, index]));
  const byName = new Map<string, number>();
  const add = (name: string, index: number) => {
    if (!NOT_A_NAME.test(name) && !byName.has(name)) byName.set(name, index);
  };
  const isPython = (index: number) => /\.pyw?$/.test(modules[index].path);
  for (let index = 0; index < modules.length; index++) if (isPython(index)) add(modules[index].name, index);
  // Without __init__.py a folder is a package too, by its path from the root.
  for (let index = 0; index < modules.length; index++)
    if (isPython(index)) add(dottedPath(modules[index].path), index);
  return { modules, byPath, byName };
}

const dottedPath = (file: string) =>
  file
    .replace(/\.(py|pyw)$/, "")
    .replace(/\/__init__$/, "")
    .replaceAll("/", ".");

export function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === "." ? "" : folder;
}
