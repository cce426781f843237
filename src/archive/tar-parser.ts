import { type ArchiveProblem, refuse } from "./archive-problem.ts";
import { checkEntryName } from "./entry-name.ts";

export type TarEntry = { name: string; path: string; folder: boolean; bytes: number };

/** Receives the entries of a tar in order: `open`, then `data` until the entry's bytes are there, then `close`. */
export type TarHandler = {
  open(entry: TarEntry): ArchiveProblem | null;
  data(chunk: Buffer): void;
  close(): void;
};

export type TarParser = {
  push(chunk: Buffer): ArchiveProblem | null;
  /** To be called at the end of the file. */
  finish(): ArchiveProblem | null;
};

const block = 512;
const longestMetadata = 1 << 20;
// tar pads to its record size (10 kB as a rule); much more than that is a bomb of zeros behind the end.
const longestPadding = 32 * 1024 * 1024;

/** Reads ustar, pax and GNU tars pushed in pieces of any size. Links, devices and sparse files are refused. */
export function createTarParser(label: string, handler: TarHandler): TarParser {
  let pending: Buffer = Buffer.alloc(0);
  let state: "header" | "data" | "padding" | "metadata" | "ended" = "header";
  let left = 0;
  let padding = 0;
  let trailing = 0;
  let metadata: { type: string; parts: Buffer[] } = { type: "", parts: [] };
  let overrides: { path?: string; size?: number } = {};
  let current = "";

  return {
    push(chunk) {
      let rest = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
      pending = Buffer.alloc(0);
      while (rest.length > 0) {
        if (state === "ended") {
          trailing += rest.length;
          return trailing > longestPadding ? refuse("DAMAGED", label, null, "goes on after its end") : null;
        }
        if (state === "header") {
          if (rest.length < block) {
            pending = rest;
            return null;
          }
          const problem = readHeader(rest.subarray(0, block));
          if (problem) return problem;
          rest = rest.subarray(block);
          continue;
        }
        const taken = rest.subarray(0, left);
        rest = rest.subarray(taken.length);
        left -= taken.length;
        if (state === "data") handler.data(taken);
        if (state === "metadata") metadata.parts.push(taken);
        if (left > 0) continue;
        const problem = endSection();
        if (problem) return problem;
      }
      return null;
    },
    finish() {
      if (state === "ended") return null;
      return refuse("TRUNCATED", label, current === "" ? null : current, "is cut off");
    },
  };

  function readHeader(header: Buffer): ArchiveProblem | null {
    if (header.every((byte) => byte === 0)) {
      state = "ended";
      return null;
    }
    if (!checksumHolds(header))
      return refuse("DAMAGED", label, null, "has a header that does not match its checksum");
    const type = header[156] === 0 ? "0" : String.fromCharCode(header[156]);
    const ownSize = readNumber(header, 124, 12);
    if (ownSize === null) return refuse("DAMAGED", label, null, "has a header with no size");
    if ("LKxg".includes(type)) {
      if (ownSize > longestMetadata) return refuse("DAMAGED", label, null, "has an overlong header");
      metadata = { type, parts: [] };
      return startSection("metadata", ownSize);
    }
    const name = overrides.path ?? headerName(header);
    const size = overrides.size ?? ownSize;
    current = name;
    overrides = {};
    if (type === "1" || type === "2") {
      return refuse("LINK", label, name, type === "1" ? "is a hard link" : "is a symbolic link");
    }
    if ("346".includes(type)) return refuse("LINK", label, name, "is neither a file nor a folder");
    if (!"057".includes(type))
      return refuse("UNSUPPORTED", label, name, `is of type '${type}', which is not supported`);
    const checked = checkEntryName(name);
    if ("problem" in checked) return refuse("UNSAFE_PATH", label, name, checked.problem);
    const folder = type === "5" || checked.folder;
    if (folder && size > 0) return refuse("DAMAGED", label, name, "is a folder with content");
    const problem = handler.open({ name, path: checked.path, folder, bytes: size });
    return problem ?? startSection("data", size);
  }

  function startSection(next: "data" | "metadata", size: number): ArchiveProblem | null {
    state = next;
    left = size;
    padding = (block - (size % block)) % block;
    return size === 0 ? endSection() : null;
  }

  function endSection(): ArchiveProblem | null {
    if (state === "metadata") {
      const problem = readMetadata(metadata.type, Buffer.concat(metadata.parts));
      if (problem) return problem;
    }
    if (state === "data") handler.close();
    const padded = state !== "padding" && padding > 0;
    state = padded ? "padding" : "header";
    left = padded ? padding : 0;
    return null;
  }

  function readMetadata(type: string, content: Buffer): ArchiveProblem | null {
    if (type === "L") overrides.path = textUntilNul(content);
    if (type !== "x" && type !== "g") return null;
    for (let at = 0; at < content.length; ) {
      const blank = content.indexOf(0x20, at);
      const length = Number(content.toString("latin1", at, Math.max(blank, at)));
      const end = at + length;
      if (!Number.isInteger(length) || blank < 0 || end <= blank || end > content.length) {
        return refuse("DAMAGED", label, null, "has an extended header that cannot be read");
      }
      const record = content.toString("utf8", blank + 1, end - 1);
      const equals = record.indexOf("=");
      const key = record.slice(0, equals);
      const value = record.slice(equals + 1);
      if (key.startsWith("GNU.sparse.")) return refuse("UNSUPPORTED", label, null, "holds a sparse file");
      if (type === "x" && key === "path") overrides.path = value;
      if (type === "x" && key === "size") {
        if (!/^\d{1,15}$/.test(value)) return refuse("DAMAGED", label, null, "has an entry with no size");
        overrides.size = Number(value);
      }
      at = end;
    }
    return null;
  }
}

function headerName(header: Buffer): string {
  const name = textUntilNul(header.subarray(0, 100));
  // GNU tar uses the place of the prefix for other things and says so by "ustar " instead of "ustar\0".
  const isUstar = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isUstar ? textUntilNul(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textUntilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

/** An octal number, or GNU's base-256 for files of 8 GiB and more; null if neither or unreasonable. */
function readNumber(header: Buffer, at: number, length: number): number | null {
  if (header[at] & 0x80) {
    let value = BigInt(header[at] & 0x7f);
    for (let i = 1; i < length; i++) value = value * 256n + BigInt(header[at + i]);
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(value);
  }
  const digits = textUntilNul(header.subarray(at, at + length)).trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : null;
}

function checksumHolds(header: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i];
  return sum === readNumber(header, 148, 8);
}
