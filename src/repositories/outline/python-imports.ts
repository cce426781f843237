import type { Node } from "web-tree-sitter";
import type { Import } from "./outline.ts";

/** The imports of one statement. `import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`. */
export function importsOf(statement: Node, scope: number): Import[] {
  const line = statement.startPosition.row + 1;
  if (statement.type === "future_import_statement") return [];
  if (statement.type === "import_statement") {
    return statement.childrenForFieldName("name").flatMap((child) => {
      const named = nameAndAlias(child);
      if (named === null) return [];
      return [{ module: named.name, level: 0, name: null, alias: named.alias ?? named.name, scope, line }];
    });
  }
  const source = statement.childForFieldName("module_name")?.text.replace(/\s+/g, "") ?? "";
  const level = /^\.*/.exec(source)?.[0].length ?? 0;
  const module = source.slice(level);
  const names = statement.childrenForFieldName("name").flatMap((child) => {
    const named = nameAndAlias(child);
    return named ? [{ module, level, name: named.name, alias: named.alias ?? named.name, scope, line }] : [];
  });
  const everything = statement.namedChildren.some((child) => child?.type === "wildcard_import");
  return everything ? [...names, { module, level, name: "*", alias: "*", scope, line }] : names;
}

function nameAndAlias(child: Node | null): { name: string; alias: string | null } | null {
  if (child === null) return null;
  if (child.type !== "aliased_import") return { name: child.text.replace(/\s+/g, ""), alias: null };
  const name = child.childForFieldName("name")?.text;
  const alias = child.childForFieldName("alias")?.text;
  return name ? { name: name.replace(/\s+/g, ""), alias: alias ?? null } : null;
}
