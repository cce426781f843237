import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { killAtRandomMoments } from "../e2e/prepare/kills.ts";

// `npm run soak -- prepare-kills [kills] [seed]`; the built command must be there.
const kills = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-kills-"));
try {
  console.log(`killing prepare ${kills} times, seed ${seed}`);
  await killAtRandomMoments({ kills, seed, folder });
  console.log("nothing half-written ever counted as prepared, and every next run finished");
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
