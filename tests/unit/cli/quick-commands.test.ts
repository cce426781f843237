import path from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

/** What is loaded together with a file: everything it reaches without a dynamic import. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: "out",
    logLevel: "silent",
  });
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { path: imported, kind } of metafile.inputs[file]?.imports ?? [])
      if (kind !== "dynamic-import") loaded.add(imported);
  }
  return loaded;
}

describe.each([
  "src/cli/main.ts",
  "src/cli/commands/grading/grade.ts",
  "src/cli/commands/grading/grade-sample.ts",
  "src/cli/commands/grading/validate.ts",
  "src/cli/commands/list.ts",
  "src/competitions/competitions.generated.ts",
])("%s", (entry) => {
  it("loads neither the schema library nor a preparer, which cost more than grading does", async () => {
    const loaded = [...(await loadedWith(entry))];
    expect(loaded.filter((file) => file === "zod" || file.startsWith("zod/"))).toEqual([]);
    expect(loaded.filter((file) => file.endsWith("/prepare.ts"))).toEqual([]);
  });
});
