// Bundles the package into dist/: one file per entry point, shared code in dist/chunks, and the competitions' data
// files beside them. The command line and the library are bundled apart: what both share lies there twice, but the
// command line then consists of a few files, not of one for each metric that the library exports.
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
await bundle(["cli/main.ts", "grading/worker.ts", "data/prepare-worker.ts"]);
await bundle([...sourceFiles("public"), ...sourceFiles("metrics")]);
for (const id of ids) copyAssets(id);
fs.chmodSync(path.join(fresh, "cli/main.js"), 0o755);
// Swapping whole folders leaves no moment in which half of a build can be run.
fs.rmSync(dist, { recursive: true, force: true });
fs.renameSync(fresh, dist);

function sourceFiles(folder) {
  const files = fs.readdirSync(path.join(root, "src", folder));
  return files.filter((file) => file.endsWith(".ts")).map((file) => `${folder}/${file}`);
}

async function bundle(entryPoints) {
  await build({
    entryPoints: entryPoints.map((file) => path.join(root, "src", file)),
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
}

function copyAssets(id) {
  const from = path.join(root, "src/competitions", id);
  const to = path.join(fresh, "competitions", id);
  fs.mkdirSync(to, { recursive: true });
  for (const asset of ASSETS) {
    if (fs.existsSync(path.join(from, asset))) fs.copyFileSync(path.join(from, asset), path.join(to, asset));
  }
}
