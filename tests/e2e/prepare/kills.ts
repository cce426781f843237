import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { rawZip } from "../../unit/archive/raw-zip.ts";
import { treeOf } from "./golden-raw.ts";

const MAIN = path.resolve("dist/cli/main.js");
const ID = "spooky-author-identification";
const ROWS = 20_000;
const AUTHORS = ["EAP", "HPL", "MWS"];

/** Raw data that keep the command busy for about a second, as a zip with a zip in it, like the real ones. */
export function slowRaw(folder: string): string {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `id${i},"Once, upon a midnight ${i * 7919} dreary",${AUTHORS[i % 3]}`,
  );
  const csv = Buffer.from(`id,text,author\n${rows.join("\n")}\n`);
  const file = path.join(folder, "spooky.zip");
  fs.writeFileSync(
    file,
    rawZip([{ name: "train.zip", content: rawZip([{ name: "train.csv", content: csv }]), method: 0 }]),
  );
  return file;
}

/**
 * Kills `prepare` at random moments. After each kill what counts as prepared must be nothing or the whole, and a run
 * that is left alone must finish with exactly the reference. Throws where that is not so.
 */
export async function killAtRandomMoments(options: {
  kills: number;
  seed: number;
  folder: string;
}): Promise<void> {
  const raw = slowRaw(options.folder);
  const reference = path.join(options.folder, "reference");
  const startedAt = Date.now();
  await run(raw, reference, null);
  const wholeMs = Date.now() - startedAt;
  const expected = treeOf(path.join(reference, ID, "prepared"));
  let random = options.seed;
  for (let kill = 1; kill <= options.kills; kill++) {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    const afterMs = (random / 2 ** 32) * wholeMs;
    const data = path.join(options.folder, `data-${kill}`);
    await run(raw, data, afterMs);
    const prepared = path.join(data, ID, "prepared");
    const when = `killed after ${Math.round(afterMs)} of ${wholeMs} ms (seed ${options.seed}, kill ${kill})`;
    if (fs.existsSync(prepared) && !isDeepStrictEqual(treeOf(prepared), expected))
      throw new Error(`${when}: something incomplete counts as prepared`);
    await run(raw, data, null);
    if (!isDeepStrictEqual(treeOf(prepared), expected))
      throw new Error(`${when}: the next run did not finish`);
    const left = fs
      .readdirSync(path.join(data, ID))
      .filter((name) => name !== "prepared" && name !== "prepare.json");
    if (left.length > 0) throw new Error(`${when}: left behind: ${left.join(", ")}`);
    fs.rmSync(data, { recursive: true });
  }
}

async function run(raw: string, data: string, killAfterMs: number | null): Promise<void> {
  const args = [MAIN, "prepare", "-c", ID, "--raw", raw, "--data-dir", data, "--skip-verification"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  if (killAfterMs === null && code !== 0) throw new Error(`prepare ended with ${code}: ${said}`);
}
