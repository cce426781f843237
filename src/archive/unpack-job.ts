import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import type { ArchiveProblem } from "./archive-problem.ts";
import type { ExtractLimits } from "./limits.ts";

/**
 * Work done so far. The unit is unpacked bytes for zip and 7z, bytes of the archive for tar, whose unpacked size
 * nobody knows beforehand.
 */
export type ExtractProgress = { doneBytes: number; totalBytes: number; entries: number };

/** One extraction as the readers of the formats see it: from `archive` into `folder`, which is fresh and private. */
export type UnpackJob = {
  archive: string;
  /** How messages call the archive. */
  label: string;
  folder: string;
  limits: ExtractLimits;
  only: (path: string) => boolean;
  onProgress: (progress: ExtractProgress) => void;
  signal: AbortSignal | null;
};

export type Unpacked = { status: "unpacked"; files: number; bytes: number };
export type UnpackOutcome = Unpacked | ArchiveProblem;

export type OpenFile = { write(chunk: Uint8Array): void; close(): void };

export type FolderWriter = {
  folder(path: string): void;
  file(path: string, content: Uint8Array): void;
  /** For content that arrives in pieces. The caller closes. */
  open(path: string): OpenFile;
};

/** Writes below `root` only into files it creates itself ("wx"): an existing path is an error, a link is not followed. */
export function createFolderWriter(root: string): FolderWriter {
  const made = new Set([""]);
  function folder(path: string): void {
    if (path === "." || made.has(path)) return;
    makeFolder(join(root, path));
    made.add(path);
  }
  function place(path: string): string {
    folder(dirname(path));
    return join(root, path);
  }
  return {
    folder,
    file(path, content) {
      writeFileSync(place(path), content, { flag: "wx" });
    },
    open(path) {
      const fd = openSync(place(path), "wx");
      return {
        write(chunk) {
          for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        },
        close: () => closeSync(fd),
      };
    },
  };
}
