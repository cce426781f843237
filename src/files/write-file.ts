import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Writes a whole file or nothing: to a temporary file beside the target, flushed to disk, then renamed. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  makeFolder(path.dirname(file));
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = fs.openSync(temporary, "w");
  try {
    fs.writeFileSync(handle, content);
    fs.fsyncSync(handle);
  } catch (error) {
    fs.closeSync(handle);
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  fs.closeSync(handle);
  fs.renameSync(temporary, file);
}
