// What the README promises: prepare the starter suite, run an agent on it in a sandbox, grade and verify. It only
// calls the commands that everybody else calls.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "first-look");
const data = path.join(folder, "data");
const runs = path.join(folder, "runs");
const name = `look-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`;

mlebench("prepare", "--split", "starter", "--data-dir", data);
mlebench(
  "run",
  "--agent",
  "sample",
  "--split",
  "starter",
  "--workers",
  "2",
  "--time-limit",
  "5m",
  "--name",
  name,
  "--data-dir",
  data,
  "--runs-dir",
  runs,
);
const [group] = fs.readdirSync(runs).filter((entry) => entry.includes(name));
mlebench("grade", path.join(runs, group), "--data-dir", data);
mlebench("verify", path.join(runs, group), "--brief", "--data-dir", data);
console.log(
  `\nEverything lies in ${path.relative(process.cwd(), folder) || "."}: the data, and the run group in runs/${group}.`,
);
console.log("Next: npx mlebench --help, or docs/README.md");

function mlebench(...args) {
  console.log(
    `\n$ mlebench ${args.map((arg) => (path.isAbsolute(arg) ? path.relative(process.cwd(), arg) : arg)).join(" ")}`,
  );
  const { status } = spawnSync(process.execPath, [path.join(root, "dist/cli/main.js"), ...args], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
