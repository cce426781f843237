// full: twenty hostile trials at a time, for seconds
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ISOLATES } from "../trials/kinds.ts";

/** Those that keep the harness itself busy. */
const BUSY = [
  ...["prints-gigabytes", "submits-ten-thousand-times", "forks-without-end", "fills-the-disk"],
  ...["rewrites-without-end", "posts-commas", "submits-commas", "sends-bad-requests", "holds-connections"],
  ...["submits-an-open-quote", "ties-knots", "digs-deep", "swaps-kinds", "names-files-oddly"],
  ...["prints-one-line", "keeps-uploads-open", "swaps-its-submission", "relays-its-writes"],
  ...["eats-memory", "writes-after-the-deadline"],
];

test.skipIf(!ISOLATES)(
  "twenty hostile trials keep no honest one from its deadline within 0.2 s (all: npm run soak -- hostile)",
  () => {
    const args = ["scripts/soak.mjs", "hostile", "--seconds", "4", "--only", BUSY.join(",")];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toMatch(/20 hostile agents in bubblewrap, 20 at a time/);
  },
  180_000,
);
