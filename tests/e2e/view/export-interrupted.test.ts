// full: exports the same pages three times
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const FIXTURES = path.resolve("tests/fixtures/groups/2026-11");
const root = temporaryFolder();
const runs = path.join(root, "runs");
// Enough to be still at it when the signal comes.
for (let i = 0; i < 4; i++)
  for (const name of fs.readdirSync(FIXTURES))
    fs.cpSync(path.join(FIXTURES, name), path.join(runs, `${name}-${i}`), { recursive: true });

async function stoppedBy(signal: NodeJS.Signals, pages: string): Promise<number | null> {
  const child = startMlebench(["view", "--export", pages, "--runs-dir", runs]);
  const closed = once(child, "close");
  while (!fs.existsSync(path.join(pages, ".partial/data/9.js")) && child.exitCode === null) await wait(5);
  child.kill(signal);
  await closed;
  return child.exitCode;
}

test("Ctrl-C leaves no pages, and after a kill the same command writes whole ones", async () => {
  const pages = path.join(root, "pages");
  expect(await stoppedBy("SIGINT", pages)).toBe(130);
  expect(fs.existsSync(pages)).toBe(false);
  expect(await stoppedBy("SIGKILL", pages)).toBe(null);
  expect(fs.readdirSync(pages)).toEqual([".partial"]);
  const written = mlebench(["view", "--export", pages, "--runs-dir", runs, "--json"]);
  expect(written.code, written.stderr).toBe(0);
  expect(fs.readdirSync(pages).sort()).toEqual(["LICENSES.txt", "app.css", "app.js", "data", "index.html"]);
});
