// full: makes a competition of ten thousand rows twice, as docs/init.md does
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { printedCommands, walk } from "./walking.ts";

const PAGE = "docs/init.md";
const folder = temporaryFolder();
const pageLines = fs.readFileSync(PAGE, "utf8").split("\n");
const [first, second] = printedCommands(PAGE)
  .filter(({ command }) => command.startsWith("init "))
  .filter(({ command }, i, all) => all.findIndex((other) => other.command === command) === i);

/** What the page says the command prints. */
function printedBelow({ command }: { command: string }): string[] {
  const start = pageLines.indexOf(`$ mlebench ${command}`) + 1;
  return pageLines.slice(start, pageLines.indexOf("```", start));
}

/** Without how good the baseline is, which depends on the machine's speed, and what this machine lacks. */
function comparable(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !/^ {2}note .*(bubblewrap|podman|docker|sandbox)/.test(line))
    .map((line) => line.replace(/^( +auc +0\.5 +)\d\S*( +1)$/, "$1?$2").trimEnd())
    .filter((line) => line !== "");
}

beforeAll(() => {
  fs.mkdirSync(path.join(folder, "data"));
  fs.symlinkSync(path.resolve("data/starter"), path.join(folder, "data/starter"));
  const made = pageLines.filter((line) => /^(tar|awk) /.test(line)).join("\n");
  const { status, stderr } = walk(folder, `set -e\n${made}`);
  expect(status, stderr).toBe(0);
});

describe("a table made into a competition as the page does", { timeout: 240_000 }, () => {
  test("is refused with the column that gives the target away, in the page's words", () => {
    const { status, stdout } = walk(folder, `mlebench ${first.command}`, 200_000);
    expect(status).toBe(1);
    expect(comparable(stdout.split("\n"))).toEqual(comparable(printedBelow(first)));
  });

  test("is ready without it, in the page's words, and what they say next works", () => {
    const { status, stdout } = walk(folder, `mlebench ${second.command}`, 200_000);
    expect(status).toBe(0);
    expect(comparable(stdout.split("\n"))).toEqual(comparable(printedBelow(second)));
    const next = [...stdout.matchAll(/^ {2}\$ mlebench (.+)$/gm)].map((match) => match[1]);
    expect(next.length).toBe(3);
    fs.copyFileSync(
      path.join(folder, "data/strikes/prepared/public/sample_submission.csv"),
      path.join(folder, "submission.csv"),
    );
    for (const command of next) {
      const brief = command.replace("--time-limit 5m", "--time-limit 5s --sandbox process");
      const result = walk(folder, `mlebench ${brief}`);
      expect(result.status, result.stderr).toBe(0);
    }
  });
});
