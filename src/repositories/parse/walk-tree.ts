import type { Tree, TreeCursor } from "web-tree-sitter";

/** What a visitor says of a node: go on below it, or leave out what is below. */
export type Below = "enter" | "skip";

/**
 * Visits every node in source order with one cursor, so that no depth of nesting reaches the stack. `leave` is called
 * once for each node that was entered, after everything below it.
 */
export function walkTree(
  tree: Tree,
  visit: (cursor: TreeCursor, depth: number) => Below,
  leave?: (cursor: TreeCursor, depth: number) => void,
): void {
  const cursor = tree.walk();
  try {
    let depth = 0;
    for (;;) {
      const below = visit(cursor, depth);
      if (below === "enter" && cursor.gotoFirstChild()) {
        depth++;
        continue;
      }
      if (below === "enter") leave?.(cursor, depth);
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return;
        depth--;
        leave?.(cursor, depth);
      }
    }
  } finally {
    cursor.delete();
  }
}
