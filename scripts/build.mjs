// Bundles the package into dist/: one file per entry point, shared code in dist/chunks, and the competitions' data
// files beside them. The bundler makes a file of whatever some entry points share and others do not, and each file takes
// a millisecond to load. So the library, with an entry point for every metric, and the commands that must be quick are
// bundled apart: what they share lies in dist several times, but each of them consists of a few files.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { generateCatalogue } from "./generate-catalogue.mjs";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const ASSETS = ["description.md", "leaderboard.json", "checksums.json"];

const QUICK_COMMANDS = ["grade", "grade-sample", "validate"];

const ids = await generateCatalogue();
const fresh = path.join(root, `dist.${process.pid}`);
const THREADS = ["grading/judge-child.ts", "data/prepare/worker.ts", "data/audit/audit-worker.ts"];
await bundle(["cli/main.ts", ...THREADS], { plugins: [quickCommandsApart()] });
for (const name of QUICK_COMMANDS)
  await bundle([`cli/commands/grading/${name}.ts`], { entryNames: "cli/[name]" });
const metrics = metricFiles();
await bundleLibrary();
for (const id of ids) copyAssets(id);
for (const id of builtInAgents()) await bundleAgent(id);
emitTypes();
fs.chmodSync(path.join(fresh, "cli/main.js"), 0o755);
// Swapping whole folders leaves no moment in which half of a build can be run; deleting the old one first would leave
// a second in which there is none.
const old = path.join(root, `dist.${process.pid}.old`);
if (fs.existsSync(dist)) fs.renameSync(dist, old);
fs.renameSync(fresh, dist);
fs.rmSync(old, { recursive: true, force: true });

function sourceFiles(folder) {
  const files = fs.readdirSync(path.join(root, "src", folder));
  return files.filter((file) => file.endsWith(".ts")).map((file) => `${folder}/${file}`);
}

/** The metrics by their public names: what only helps them, `metrics/arithmetic`, is not for users. */
function metricFiles() {
  const rooms = fs.readdirSync(path.join(root, "src/metrics")).filter((room) => room !== "arithmetic");
  return rooms.flatMap((room) => sourceFiles(`metrics/${room}`));
}

/** A user imports `mlebench/metrics/roc-auc`, whatever room the file stands in. */
async function bundleLibrary() {
  const named = [...sourceFiles("public"), ...metrics].map((file) => {
    const [room] = file.split("/");
    return { in: path.join(root, "src", file), out: `${room}/${path.basename(file, ".ts")}` };
  });
  await bundle([], { entryPoints: named });
}

/** Leaves the imports of these commands to the running program, which finds each beside `main.js`. */
function quickCommandsApart() {
  const filter = new RegExp(`^\\./commands/grading/(${QUICK_COMMANDS.join("|")})\\.ts$`);
  return {
    name: "quick-commands-apart",
    setup: ({ onResolve }) =>
      onResolve({ filter }, ({ path: file }) => ({
        // From `cli/` and from `chunks/` alike: the list of commands may end up in either.
        path: `../cli/${path.basename(file, ".ts")}.js`,
        external: true,
      })),
  };
}

async function bundle(entryPoints, options = {}) {
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
      __AGENTS_FOLDER__: JSON.stringify("../agents/"),
      __COMPETITIONS_FOLDER__: JSON.stringify("../competitions/"),
      __MLEBENCH_VERSION__: JSON.stringify(version),
    },
    ...options,
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

function builtInAgents() {
  const folder = path.join(root, "src/agents");
  return fs.readdirSync(folder).filter((id) => fs.existsSync(path.join(folder, id, "config.yaml")));
}

/** An agent's folder is all of it that enters a sandbox: nothing may be shared with the rest, packages included. */
async function bundleAgent(id) {
  const from = path.join(root, "src/agents", id);
  const to = path.join(fresh, "agents", id);
  const entries = fs.readdirSync(from).filter((file) => /^(agent|.*worker)\.ts$/.test(file));
  await build({
    entryPoints: entries.map((file) => path.join(from, file)),
    outdir: to,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    logLevel: "warning",
    define: { __MLEBENCH_VERSION__: JSON.stringify(version) },
  });
  fs.copyFileSync(path.join(from, "config.yaml"), path.join(to, "config.yaml"));
}

/** Declarations for users of the library. A type error is for `npm run typecheck` to report; declarations come out all the same. */
function emitTypes() {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const outDir = path.join(fresh, "types");
  spawnSync(process.execPath, [compiler, "-p", path.join(root, "tsconfig.build.json"), "--outDir", outDir]);
  if (!fs.existsSync(path.join(outDir, "public/index.d.ts"))) throw new Error("tsc wrote no declarations");
  for (const file of metrics) {
    const [, room, name] = file.replace(/\.ts$/, "").split("/");
    fs.writeFileSync(path.join(outDir, "metrics", `${name}.d.ts`), `export * from "./${room}/${name}.js";\n`);
  }
}
