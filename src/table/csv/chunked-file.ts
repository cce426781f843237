import { closeSync, openSync, writeSync } from "node:fs";

const CHUNK = 1 << 20;

/** A file being written in large pieces. Until `close` returns, the last megabytes may be missing on disk. */
export interface ChunkedFile {
  readonly write: (text: string) => void;
  readonly writeBytes: (bytes: Uint8Array) => void;
  readonly close: () => void;
}

/**
 * Opens a new file for many small writes. It must not exist yet: the caller picks a temporary name, syncs and renames.
 * Writing is synchronous, so nothing queues up in memory; a full disk throws.
 */
export function createChunkedFile(path: string): ChunkedFile {
  const descriptor = openSync(path, "wx");
  const buffer = Buffer.allocUnsafe(CHUNK);
  let used = 0;
  let pending = "";

  const flush = () => {
    writeFully(descriptor, buffer.subarray(0, used));
    used = 0;
  };
  const append = (bytes: Uint8Array) => {
    if (bytes.length > CHUNK - used) flush();
    if (bytes.length > CHUNK) return writeFully(descriptor, bytes);
    buffer.set(bytes, used);
    used += bytes.length;
  };
  const encodePending = () => {
    if (pending === "") return;
    append(Buffer.from(pending, "utf8"));
    pending = "";
  };

  return {
    write(text) {
      pending += text;
      if (pending.length >= CHUNK) encodePending();
    },
    writeBytes(bytes) {
      encodePending();
      append(bytes);
    },
    close() {
      try {
        encodePending();
        flush();
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}
