// Runs the long tests of tests/soak: `npm run soak` all of them, `npm run soak -- <name> [options]` one of them. They
// are TypeScript, which Node 20 does not run, so each is bundled first.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bundlePrograms } from "./bundle-program.mjs";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "tests/soak");
const programs = fs.readdirSync(folder).filter((file) => /\.(ts|mjs)$/.test(file));
const names = programs.map((file) => path.parse(file).name);

const [wanted, ...options] = process.argv.slice(2);
if (wanted !== undefined && !names.includes(wanted)) {
  console.error(`There is no soak "${wanted}"; there are: ${names.join(", ")}`);
  process.exit(2);
}
// Below node_modules, so that the bundle finds the packages it imports.
const bundles = path.join(root, "node_modules/.cache/mlebench-soak", String(process.pid));
let failed = 0;
try {
  for (const file of programs) {
    if (wanted === undefined || path.parse(file).name === wanted) failed += (await runProgram(file)) ? 0 : 1;
  }
} finally {
  fs.rmSync(bundles, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function runProgram(file) {
  const { name, ext } = path.parse(file);
  const source = path.join(folder, file);
  const program = ext === ".mjs" ? source : path.join(bundles, `${name}.mjs`);
  if (ext === ".ts") await bundlePrograms([source], bundles);
  if (wanted === undefined) console.log(`soak: ${name}`);
  return spawnSync(process.execPath, [program, ...options], { cwd: root, stdio: "inherit" }).status === 0;
}
