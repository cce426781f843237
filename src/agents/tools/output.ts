import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

const HEAD = 6000;
const TAIL = 6000;

/** Cuts long output in the middle; the whole of it is in a file that the model is told of. */
export function cutOutput(text: string, logs: string, name: string): string {
  const readable = printable(text);
  if (readable.length <= HEAD + TAIL) return readable;
  const file = path.join(logs, "outputs", name);
  makeFolder(path.dirname(file));
  fs.writeFileSync(file, readable);
  const left = readable.length - HEAD - TAIL;
  return `${readable.slice(0, HEAD)}\n[… ${left} characters left out; all of it is in ${file} …]\n${readable.slice(-TAIL)}`;
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g");

/** Control characters and half characters would only confuse a model and a terminal. */
function printable(text: string): string {
  return text.replace(ESCAPES, "").replace(/(?:(?![\n\t])[\p{Cc}\ufffd])+/gu, "·");
}
