// Bundles the package into dist/: one file per entry point, shared code in dist/chunks, and the competitions' data
// files beside them. Small chunks that load on demand are what keeps `mlebench --help` and one grading fast.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { generateCatalogue } from "./generate-catalogue.mjs";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const ASSETS = ["description.md", "leaderboard.json", "checksums.json"];

const ids = await generateCatalogue();
const fresh = path.join(root, `dist.${process.pid}`);
await build({
  entryPoints: entryPoints(),
  outbase: path.join(root, "src"),
  outdir: fresh,
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node20.19",
  packages: "external",
  sourcemap: "linked",
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  define: {
    __COMPETITIONS_FOLDER__: JSON.stringify("../competitions/"),
    __MLEBENCH_VERSION__: JSON.stringify(version),
  },
});
for (const id of ids) copyAssets(id);
fs.chmodSync(path.join(fresh, "cli/main.js"), 0o755);
// Swapping whole folders leaves no moment in which half of a build can be run.
fs.rmSync(dist, { recursive: true, force: true });
fs.renameSync(fresh, dist);

function entryPoints() {
  const metrics = fs.readdirSync(path.join(root, "src/metrics")).map((file) => `metrics/${file}`);
  const open = fs.readdirSync(path.join(root, "src/public")).map((file) => `public/${file}`);
  const files = ["cli/main.ts", "grading/worker.ts", ...open, ...metrics];
  return files.filter((file) => file.endsWith(".ts")).map((file) => path.join(root, "src", file));
}

function copyAssets(id) {
  const from = path.join(root, "src/competitions", id);
  const to = path.join(fresh, "competitions", id);
  fs.mkdirSync(to, { recursive: true });
  for (const asset of ASSETS) {
    if (fs.existsSync(path.join(from, asset))) fs.copyFileSync(path.join(from, asset), path.join(to, asset));
  }
}
