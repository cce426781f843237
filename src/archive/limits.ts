import { sizeText } from "../wording/sizes.ts";
import { type ArchiveProblem, refuse } from "./archive-problem.ts";

export type ExtractLimits = {
  /** All unpacked files together. */
  maxBytes: number;
  maxEntries: number;
  /** Unpacked size over packed size, of one entry and of the archive. */
  maxRatio: number;
  /** Below this unpacked size the ratio is not looked at: an empty mask of 500 kB packs a thousandfold, honestly. */
  ratioFloorBytes: number;
};

/** Above every archive of the catalogue (343 GB, 2.4 million files), far below what a bomb wants. */
export const defaultLimits: ExtractLimits = {
  maxBytes: 1e12,
  maxEntries: 8_000_000,
  maxRatio: 300,
  ratioFloorBytes: 32 * 1024 * 1024,
};

export type Budget = {
  /** Accounts for one entry by its declared size. `packedBytes` is null where entries are not packed one by one. */
  charge(entry: string, bytes: number, packedBytes: number | null): ArchiveProblem | null;
  readonly bytes: number;
  readonly entries: number;
};

/** Keeps count against the limits; every refusal names the entry that broke them. */
export function createBudget(limits: ExtractLimits, archive: string, archiveBytes: number): Budget {
  let bytes = 0;
  let entries = 0;
  const tooDense = (size: number, packed: number) =>
    size > limits.ratioFloorBytes && size > packed * limits.maxRatio;
  return {
    charge(entry, size, packed) {
      entries++;
      bytes += size;
      if (entries > limits.maxEntries) {
        return refuse("TOO_MANY_ENTRIES", archive, null, `has more than ${limits.maxEntries} entries`);
      }
      if (bytes > limits.maxBytes) {
        const sizes = `${sizeText(bytes)} (limit ${sizeText(limits.maxBytes)})`;
        return refuse("TOO_LARGE", archive, entry, `brings the unpacked size to ${sizes}`);
      }
      if (packed !== null && tooDense(size, packed)) return ratioProblem(entry, size, packed);
      return tooDense(bytes, archiveBytes) ? ratioProblem(entry, bytes, archiveBytes) : null;
    },
    get bytes() {
      return bytes;
    },
    get entries() {
      return entries;
    },
  };

  function ratioProblem(entry: string, size: number, packed: number): ArchiveProblem {
    const times = Math.round(size / Math.max(packed, 1));
    const cause = `would unpack ${sizeText(packed)} to ${sizeText(size)}, ${times} times as much (limit ${limits.maxRatio})`;
    return refuse("SUSPICIOUS_RATIO", archive, entry, cause);
  }
}
