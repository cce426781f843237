import type { Column } from "./column.ts";
import { appendBytes, emptyTextStore } from "./text-store.ts";

/** A column of texts, none of them missing, for tables that do not come from a CSV file. */
export function textColumn(name: string, texts: readonly string[]): Column {
  const store = emptyTextStore(0, texts.length);
  for (const text of texts) {
    const bytes = Buffer.from(text, "utf8");
    appendBytes(store, bytes, 0, bytes.length);
  }
  return {
    name,
    kind: texts.length === 0 ? "none" : "text",
    length: texts.length,
    numbers: new Float64Array(0),
    onlyNumber: null,
    wide: null,
    texts: store,
    missing: null,
    missingCount: 0,
    blocks: [],
  };
}
