import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Writes a whole file or nothing: to a temporary file beside the target, flushed to disk, then renamed. */
export function writeFileAtomically(file: string, content: string | Uint8Array): void {
  if (isDevice(file)) {
    fs.writeFileSync(file, content);
    return;
  }
  makeFolder(path.dirname(file));
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = fs.openSync(temporary, "w");
    try {
      fs.writeFileSync(handle, content);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    try {
      fs.rmSync(temporary, { force: true });
    } catch {
      // Whatever keeps us from removing it: the first failure is the one to tell.
    }
    throw error;
  }
}

/** /dev/stdout and its like are written to, never replaced: root could rename over them. */
function isDevice(file: string): boolean {
  return /^\/dev\/(std(out|err)|null|tty|fd\/\d+)$/.test(path.resolve(file));
}
