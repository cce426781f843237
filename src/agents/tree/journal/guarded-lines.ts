import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { lookOfFile } from "../execution/look.ts";

/** A file without a name: there as long as this process, and nowhere for others to find. */
export interface HiddenFile {
  /** The line's number. */
  add(line: string): number;
  line(number: number): string;
  whole(): Buffer;
}

export function hiddenFile(folder: string): HiddenFile {
  const name = path.join(folder, "journal-copy");
  const handle = fs.openSync(name, "w+");
  fs.unlinkSync(name);
  const starts = [0];
  const piece = (from: number, to: number) => {
    const bytes = Buffer.alloc(to - from);
    for (let at = 0; at < bytes.length; ) at += fs.readSync(handle, bytes, at, bytes.length - at, from + at);
    return bytes;
  };
  return {
    add(line) {
      const bytes = Buffer.from(line);
      fs.writeSync(handle, bytes, 0, bytes.length, starts.at(-1)!);
      return starts.push(starts.at(-1)! + bytes.length) - 2;
    },
    line: (number) => piece(starts[number], starts[number + 1]).toString(),
    whole: () => piece(0, starts.at(-1)!),
  };
}

/** A file that is only ever appended to, and that is as it was when the next line comes. */
export function guardedLines(file: string, copy: HiddenFile) {
  let handle = fs.openSync(file, "a");
  let seen = lookOfFile(file);
  const mend = () => {
    if (lookOfFile(file) === seen) return false;
    fs.closeSync(handle);
    makeFolder(path.dirname(file));
    fs.rmSync(file, { recursive: true, force: true });
    handle = fs.openSync(file, "a");
    fs.writeSync(handle, copy.whole());
    seen = lookOfFile(file);
    return true;
  };
  return {
    add(line: string): number {
      mend();
      const number = copy.add(line);
      fs.writeSync(handle, line);
      seen = lookOfFile(file);
      fs.fdatasync(handle, () => {});
      return number;
    },
    mend,
  };
}
