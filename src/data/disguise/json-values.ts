import fs from "node:fs";
import { StringDecoder } from "node:string_decoder";

const TEXT = /"([^"\\]*(?:\\.[^"\\]*)*)"/gs;
const PIECE_BYTES = 2 ** 22;
/** A text that is longer is not prose: from there on the file stays as it is. */
const MAX_TEXT = 2 ** 25;

/** No word of a source is longer. */
const OVERLAP = 1000;

/** Whether a file names the source at all; it may be one line of gigabytes. */
export function namesSource(file: string, pattern: RegExp): boolean {
  const handle = fs.openSync(file, "r");
  try {
    const buffer = Buffer.alloc(PIECE_BYTES);
    const decoder = new StringDecoder("utf8");
    let before = "";
    for (;;) {
      const read = fs.readSync(handle, buffer, 0, PIECE_BYTES, null);
      const text = before + decoder.write(buffer.subarray(0, read));
      if (text.search(pattern) !== -1) return true;
      if (read === 0) return false;
      before = text.slice(-OVERLAP);
    }
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Copies a JSON file with another word wherever a text of it names the source, whatever its size. Only prose is changed,
 * and a text that is the name alone: keys and ids must come back as they are.
 */
export function rewriteJson(from: string, to: string, pattern: RegExp): void {
  const [source, target] = [fs.openSync(from, "r"), fs.openSync(to, "w")];
  try {
    const buffer = Buffer.alloc(PIECE_BYTES);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    let known = true;
    for (let read = -1; read !== 0; ) {
      read = fs.readSync(source, buffer, 0, PIECE_BYTES, null);
      const text = rest + (read > 0 ? decoder.write(buffer.subarray(0, read)) : decoder.end());
      if (text.length > MAX_TEXT + PIECE_BYTES) known = false;
      const end = read === 0 || !known ? text.length : endOfTexts(text);
      fs.writeSync(target, known ? replaced(text, end, pattern) : text);
      rest = text.slice(end);
    }
  } finally {
    fs.closeSync(source);
    fs.closeSync(target);
  }
}

function replaced(text: string, end: number, pattern: RegExp): string {
  return text.slice(0, end).replace(TEXT, (whole, inside: string, at: number) => {
    if (inside.search(pattern) === -1 || isKey(text, at + whole.length)) return whole;
    const isName = inside.replace(pattern, "") === "";
    return isName || /\s/.test(inside) ? `"${inside.replace(pattern, "source")}"` : whole;
  });
}

function isKey(text: string, after: number): boolean {
  return /^\s*:/.test(text.slice(after, after + 20));
}

/** Behind the last text that is whole and of which is seen whether it is a key. What is cut waits for the next piece. */
function endOfTexts(text: string): number {
  let [end, before] = [0, 0];
  for (const { index, 0: whole } of text.matchAll(TEXT)) [before, end] = [end, index + whole.length];
  const behind = text.slice(end);
  if (behind.includes('"')) return end;
  return behind.trim() === "" ? before : text.length;
}
