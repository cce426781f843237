import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** `const { a, b } = await import(…"dist/x.js")` and `import { a, b } from "…/dist/x.js"`. */
const TAKEN =
  /(?:const|import)\s*\{([^{}]+)\}\s*(?:=\s*await import\(|from\s*)[^;]*?"[^"]*(dist\/[\w/-]+\.js)"/g;

const taken = fs
  .readdirSync("bench", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".mjs"))
  .flatMap((file) =>
    [...fs.readFileSync(path.join("bench", file), "utf8").matchAll(TAKEN)].map(
      ([, names, module]) =>
        [file, module, names.split(",").map((name) => name.trim().split(/\s|:/)[0])] as const,
    ),
  );

// Benches are plain programs over the built package: neither the types' check nor another test sees what they import.
describe("what a bench takes from the package is there", () => {
  it("is found by this test", () => {
    expect(taken.map(([file]) => file)).toContain("repositories/suite.mjs");
  });

  it.each(taken)("%s takes from %s", async (_, module, names) => {
    const exported = Object.keys(await import(path.resolve(module)));
    expect(exported).toEqual(expect.arrayContaining(names.filter(Boolean)));
  });
});
