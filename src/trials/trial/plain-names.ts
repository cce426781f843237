import fs from "node:fs/promises";
import path from "node:path";

/** A name is at most 255 bytes; three for each odd one, and room for what makes it unique. */
const LONGEST = 200;

/**
 * Renames what an agent gave a name that is not UTF-8 or has control characters: Node could not open the first and a
 * terminal must not print the second. Each odd byte becomes `%` and two digits. Returns how many there were.
 */
export async function makeNamesPlain(folder: string): Promise<number> {
  let renamed = 0;
  for (const name of await fs.readdir(folder, { encoding: "buffer" })) {
    if (isPlain(name)) continue;
    const from = Buffer.concat([Buffer.from(`${folder}${path.sep}`), name]);
    await fs.rename(from, await freePlace(folder, escaped(name)));
    renamed++;
  }
  return renamed;
}

function isPlain(name: Buffer): boolean {
  const text = name.toString();
  return Buffer.from(text).equals(name) && !/\p{Cc}/u.test(text);
}

function escaped(name: Buffer): string {
  const parts = Array.from(name, (byte) =>
    byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`,
  );
  return parts.join("").slice(0, LONGEST);
}

async function freePlace(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const place = path.join(folder, count === 1 ? name : `${name}~${count}`);
    if ((await fs.lstat(place).catch(() => null)) === null) return place;
  }
}
