import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { writeText } from "./temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const PROBE = `import fs from "node:fs";
process.on("exit", () => fs.writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));`;

/** Runs a command and says what it cost: processor time, since the other tests run at the same time. */
export function measured(root: string, args: readonly string[]) {
  const probe = writeText(root, "probe.mjs", PROBE);
  const usageFile = path.join(root, "usage.json");
  const { status, stdout } = spawnSync(process.execPath, ["--import", probe, MAIN, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, USAGE_FILE: usageFile },
  });
  const usage: NodeJS.ResourceUsage = JSON.parse(fs.readFileSync(usageFile, "utf8"));
  return {
    status,
    stdout,
    seconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    megabytes: usage.maxRSS / 1024,
  };
}
