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

/** Pure functions for the most part: they share a process, which saves a third of their time. What they stub is undone. */
const PURE = ["tests/unit/**/*.test.ts", "tests/property/**/*.test.ts"];
const exclude = FULL ? [] : onlyInFull;

const PATIENCE = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // A process that has started hundreds of sandboxes takes a moment to let go of them.
  teardownTimeout: 60_000,
};

export default defineConfig({
  test: {
    // Here only: what a project inherits it sets up once more.
    globalSetup: ["tests/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    teardownTimeout: PATIENCE.teardownTimeout,
    projects: [
      {
        test: {
          ...PATIENCE,
          name: "pure",
          include: PURE,
          exclude,
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
        },
      },
      {
        test: {
          ...PATIENCE,
          name: "product",
          include: ["tests/**/*.test.ts"],
          exclude: [...PURE, ...exclude],
        },
      },
    ],
  },
});
