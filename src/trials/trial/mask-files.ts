import fs from "node:fs/promises";
import path from "node:path";
import { secretMasker } from "../../wording/secrets.ts";

/** Larger files, and more of them, are left as they are, which a note says. */
const MAX_FILE_BYTES = 64 * 2 ** 20;
const MAX_TOTAL_BYTES = 2 ** 30;

/**
 * Replaces secrets in the files an agent left, before they are sealed and perhaps shown to others. Everybody must be
 * dead by now, and links gone. Returns what a reader should know.
 */
export async function maskFiles(folder: string, secrets: readonly string[]): Promise<string[]> {
  if (secrets.every((secret) => secret === "")) return [];
  const name = path.basename(folder);
  let total = 0;
  let masked = 0;
  let unseen = 0;
  const walk = async (place: string): Promise<void> => {
    for (const entry of await fs.readdir(place, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(place, entry.name);
      if (entry.isDirectory()) await walk(file);
      if (!entry.isFile()) continue;
      const size = (await fs.lstat(file).catch(() => null))?.size ?? 0;
      if (size > MAX_FILE_BYTES || total + size > MAX_TOTAL_BYTES) {
        unseen++;
        continue;
      }
      total += size;
      if (await maskFile(file, secrets)) masked++;
    }
  };
  await walk(folder);
  return [
    ...(masked > 0 ? [`${name}: a secret in ${masked} files was replaced by ***`] : []),
    ...(unseen > 0 ? [`${name}: ${unseen} large files were not searched for secrets`] : []),
  ];
}

async function maskFile(file: string, secrets: readonly string[]): Promise<boolean> {
  const content = await fs.readFile(file).catch(() => null);
  if (content === null) return false;
  const masker = secretMasker(secrets);
  const masked = Buffer.concat([masker.push(content), masker.end()]);
  if (masked.equals(content)) return false;
  await fs.writeFile(file, masked);
  return true;
}
