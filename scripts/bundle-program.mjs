import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");

/** Bundles TypeScript programs, which Node 20 does not run, into a folder; each keeps its name and ends in `.mjs`. */
export async function bundlePrograms(sources, folder) {
  await build({
    entryPoints: sources,
    outdir: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    sourcemap: "inline",
    logLevel: "warning",
    define: {
      __COMPETITIONS_FOLDER__: JSON.stringify(pathToFileURL(path.join(root, "src/competitions/")).href),
    },
  });
}
