import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

/**
 * Three sizes of the suite. `npm run test:quick` runs the units; `npm test` everything that is cheap; `npm run
 * test:full` everything. A file that is not cheap says so, and why, in its first line: `// full: <why>`. Inside a file
 * the constant FULL of tests/full.ts does the same for one test.
 */
const FULL = process.env.MLEBENCH_TEST_FULL === "1";

const onlyInFull = (fs.readdirSync(path.resolve("tests"), { recursive: true }) as string[])
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => path.join("tests", file))
  .filter((file) => fs.readFileSync(file, "utf8").startsWith("// full:"));

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: FULL ? [] : onlyInFull,
    globalSetup: ["tests/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A process that has started hundreds of sandboxes takes a moment to let go of them.
    teardownTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
