import fs from "node:fs";
import { expect, test } from "vitest";
import { limitLines } from "../../../src/reporters/text/run.ts";
import { CANNOT_EXCLUDE } from "../../../src/trials/certificate/limits-of-proof.ts";

test("what cannot be excluded is the same list in docs/trust.md and in verify's output", () => {
  const page = fs.readFileSync("docs/trust.md", "utf8");
  const start = page.indexOf("No signature can exclude that");
  const listed = page
    .slice(start, page.indexOf("\nAnd further:", start))
    .split("\n")
    .flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
  expect(listed).toEqual(CANNOT_EXCLUDE);
  expect(limitLines().slice(1)).toEqual(CANNOT_EXCLUDE.map((what) => `  ${what}`));
});
