// Bundles the package into dist/: one file per entry point, shared code in dist/chunks, and the competitions' data
// files beside them. The bundler makes a file of whatever some entry points share and others do not, and each file takes
// a millisecond to load. So the library, with an entry point for every metric, and the commands that must be quick are
// bundled apart: what they share lies in dist several times, but each of them consists of a few files.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build, transform } from "esbuild";
import { generateCatalogue } from "./generate-catalogue.mjs";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const ASSETS = ["description.md", "leaderboard.json", "checksums.json"];

const QUICK_COMMANDS = ["grade", "grade-sample", "validate"];

const ids = await generateCatalogue();
const fresh = path.join(root, `dist.${process.pid}`);
const THREADS = ["data/prepare/worker.ts", "data/audit/audit-worker.ts", "viewer/slow/slow-worker.ts"];
await bundle(["cli/main.ts", ...THREADS], { plugins: [quickCommandsApart()] });
await bundle(["grading/judge-child.ts"]);
for (const name of QUICK_COMMANDS)
  await bundle([`cli/commands/grading/${name}.ts`], { entryNames: "cli/[name]" });
const metrics = metricFiles();
await bundleLibrary();
copyGrammars(path.join(fresh, "grammars"));
for (const id of ids) copyAssets(id);
for (const id of builtInAgents()) await bundleAgent(id);
await bundleViewer();
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
      __GRAMMARS_FOLDER__: JSON.stringify("../grammars/"),
      __VIEWER_FOLDER__: JSON.stringify("../viewer/"),
      __MLEBENCH_VERSION__: JSON.stringify(version),
    },
    ...options,
    plugins: [parserInside(), ...(options.plugins ?? [])],
  });
}

/** The parser is bundled although packages are not: only its WebAssembly and three grammars of 40 MB are wanted at run time. */
function parserInside() {
  const file = path.join(root, "node_modules/web-tree-sitter/web-tree-sitter.js");
  return {
    name: "parser-inside",
    setup: ({ onResolve }) => onResolve({ filter: /^web-tree-sitter$/ }, () => ({ path: file })),
  };
}

function copyGrammars(to) {
  const modules = path.join(root, "node_modules");
  const wasm = path.join(modules, "@vscode/tree-sitter-wasm/wasm");
  fs.mkdirSync(to, { recursive: true });
  fs.copyFileSync(path.join(modules, "web-tree-sitter/web-tree-sitter.wasm"), path.join(to, "parser.wasm"));
  for (const name of ["python", "javascript"])
    fs.copyFileSync(path.join(wasm, `tree-sitter-${name}.wasm`), path.join(to, `${name}.wasm`));
  fs.copyFileSync(
    path.join(root, "src/repositories/parse/grammars/tree-sitter-r.wasm"),
    path.join(to, "r.wasm"),
  );
  const licences = ["web-tree-sitter", "@vscode/tree-sitter-wasm"].map((name) =>
    path.join(modules, name, "LICENSE"),
  );
  licences.push(path.join(root, "src/repositories/parse/grammars/LICENSE"));
  fs.writeFileSync(
    path.join(to, "LICENSES"),
    licences.map((file) => fs.readFileSync(file, "utf8")).join("\n---\n\n"),
  );
  for (const file of fs.readdirSync(to)) fs.chmodSync(path.join(to, file), 0o644);
}

function copyAssets(id) {
  const from = path.join(root, "src/competitions", id);
  const to = path.join(fresh, "competitions", id);
  fs.mkdirSync(to, { recursive: true });
  for (const asset of ASSETS) {
    if (fs.existsSync(path.join(from, asset))) fs.copyFileSync(path.join(from, asset), path.join(to, asset));
  }
  // What solves a starter competition with the usual libraries is what its trials are compared with.
  const rungs = path.join(
    root,
    "src/starter/rungs",
    `${id.replace(/^starter-/, "").replaceAll("-", "_")}.py`,
  );
  if (id.startsWith("starter-") && fs.existsSync(rungs)) {
    fs.mkdirSync(path.join(to, "solutions"));
    fs.copyFileSync(rungs, path.join(to, "solutions/rungs.py"));
  }
}

function builtInAgents() {
  const folder = path.join(root, "src/agents");
  return fs
    .readdirSync(folder)
    .filter((id) => ["config.yaml", "presets"].some((name) => fs.existsSync(path.join(folder, id, name))));
}

/** An agent's folder is all of it that enters a sandbox: nothing may be shared with the rest, packages included. */
async function bundleAgent(id) {
  const from = path.join(root, "src/agents", id);
  const to = path.join(fresh, "agents", id);
  const entries = fs.readdirSync(from).filter((file) => /^(agent|.*worker)\.ts$/.test(file));
  const { metafile } = await build({
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
    // Its form for Node asks for parts of Node in a way that a bundle of modules does not know.
    alias: { yaml: path.join(root, "node_modules/yaml/browser/index.js") },
    metafile: true,
    define: {
      __GRAMMARS_FOLDER__: JSON.stringify("./grammars/"),
      __MLEBENCH_VERSION__: JSON.stringify(version),
      __TREE_PRESET__: JSON.stringify(
        fs.readFileSync(path.join(root, "src/agents/tree/presets/tree.yaml"), "utf8"),
      ),
    },
  });
  const parses = Object.keys(metafile.inputs).some((file) => file.endsWith("web-tree-sitter.js"));
  if (parses) copyGrammars(path.join(to, "grammars"));
  fs.writeFileSync(path.join(to, "config.yaml"), definitionsOf(from));
}

/** An agent that is one program with many presets has a file for each of them; together they are its definitions. */
function definitionsOf(from) {
  const presets = path.join(from, "presets");
  if (!fs.existsSync(presets)) return fs.readFileSync(path.join(from, "config.yaml"), "utf8");
  const names = fs.readdirSync(presets).filter((name) => name.endsWith(".yaml"));
  return names
    .sort()
    .map((name) => fs.readFileSync(path.join(presets, name), "utf8"))
    .join("\n");
}

/**
 * The front end as one classic script and one style sheet, which also work from disk: a browser loads no module from a
 * file. Its packages are bundled, so that nobody installs them.
 */
async function bundleViewer() {
  await build({
    entryPoints: ["web/main.tsx", "web/styles/app.css"].map((file) => ({
      in: path.join(root, file),
      out: "app",
    })),
    outdir: path.join(fresh, "viewer"),
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome111", "firefox113", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    define: { __MLEBENCH_VERSION__: JSON.stringify(version) },
  });
  fs.copyFileSync(path.join(root, "web/index.html"), path.join(fresh, "viewer/index.html"));
  const own = path.join(fresh, "viewer/app.css");
  fs.writeFileSync(own, `${await reportStyles()}${fs.readFileSync(own, "utf8")}`);
  fs.writeFileSync(path.join(fresh, "viewer/LICENSES.txt"), viewerLicences());
}

/** What the report looks like is what the viewer looks like. */
async function reportStyles() {
  const entry = path.join(root, "src/reporters/html/styles.ts");
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  const { STYLES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const { code } = await transform(STYLES, { loader: "css", minify: true });
  return code;
}

/** Of the packages that are inside the script. */
function viewerLicences() {
  const packages = ["preact", "@preact/signals", "@preact/signals-core", "highlight.js", "diff"];
  return packages
    .map((name) => {
      const folder = path.join(root, "node_modules", name);
      const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      return `${name}\n\n${fs.readFileSync(path.join(folder, file), "utf8")}\n`;
    })
    .join("\n");
}

/** Declarations for users of the library. A type error is for `npm run typecheck` to report; declarations come out all the same. */
/** Only what has changed is compiled again; a file whose source is gone stays behind in the cache, and is not copied. */
function emitTypes() {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const outDir = path.join(fresh, "types");
  const cache = path.join(root, "node_modules/.cache/mlebench-types");
  const state = ["--incremental", "--tsBuildInfoFile", `${cache}.tsbuildinfo`];
  if (!fs.existsSync(cache)) fs.rmSync(`${cache}.tsbuildinfo`, { force: true });
  spawnSync(process.execPath, [
    compiler,
    "-p",
    path.join(root, "tsconfig.build.json"),
    "--outDir",
    cache,
    ...state,
  ]);
  const hasSource = (file) =>
    !file.endsWith(".d.ts") ||
    fs.existsSync(path.join(root, "src", path.relative(cache, file).replace(/\.d\.ts$/, ".ts")));
  fs.cpSync(cache, outDir, { recursive: true, filter: hasSource });
  if (!fs.existsSync(path.join(outDir, "public/index.d.ts"))) throw new Error("tsc wrote no declarations");
  for (const file of metrics) {
    const [, room, name] = file.replace(/\.ts$/, "").split("/");
    fs.writeFileSync(path.join(outDir, "metrics", `${name}.d.ts`), `export * from "./${room}/${name}.js";\n`);
  }
}
