import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { COMPETITION } from "../trials/setting.ts";

// What the walks through the pages share: the lines that pages print, what stands for their placeholders, and the walker.
const MAIN = path.resolve("dist/cli/main.js");

export const PAGES = [
  ...fs
    .readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "README.md",
];

export interface Line {
  page: string;
  line: number;
  command: string;
}

/** Every line of a code block that calls the command, without its comment; in the README those of its table, too. */
export function printedCommands(page: string): Line[] {
  let inside = false;
  return fs
    .readFileSync(page, "utf8")
    .split("\n")
    .flatMap((text, i) => {
      if (text.startsWith("```")) inside = !inside;
      const lines = inside ? [...text.matchAll(/^\s*(?:\$ )?mlebench (.+)$/g)] : inTable(page, text);
      return lines.map((match) => ({ page, line: i + 1, command: match[1].replace(/\s+#.*$/, "").trim() }));
    });
}

function inTable(page: string, text: string): RegExpMatchArray[] {
  return page === "README.md" && text.startsWith("|") ? [...text.matchAll(/`mlebench ([^`]+)`/g)] : [];
}

/** What stands for a name, a key or a day of work that the walker does not have. */
const STAND_INS: [printed: RegExp | string, walked: string][] = [
  ["--split lite", "--split ids.txt"],
  ["--split starter", "--split ids.txt"],
  ["--seeds 3 --workers 2", "--sandbox process"],
  // Earlier lines leave groups of that name, not yet graded.
  ["runs/*_run-group", "runs/x_run-group"],
  ["runs/<group>", "runs/my-group"],
  ["<group>", "my-group"],
  ["<trial>", "$(ls -d runs/my-group/*_*/)"],
  ["<id>", COMPETITION],
  ["<folder>", "my-repository"],
  ["compare A B", "compare a b"],
  ["list.jsonl", "submissions.jsonl"],
  ["view --export pages", "view --export other-pages"],
  ["--agent …", `--agent sample -c ${COMPETITION}`],
  ["aggregate …", "aggregate my-group --split ids.txt"],
  ["-c random-acts-of-pizza", `-c ${COMPETITION}`],
  ["-c leaf-classification", "-c starter-spam"],
  // Only a model that costs something can have a limit of cost; this one asks nobody.
  [/(anthropic:claude-sonnet-5|openai:gpt-5)/, "priced"],
  [/--time-limit (24h|10min|5min|60)/, "--time-limit 12s"],
  ["agents check --agents-dir my-agents", "agents check mine --agents-dir my-agents"],
  ["my-repository", path.resolve("tests/fixtures/repositories/tiny")],
];

export function filledIn(command: string): string {
  const filled = STAND_INS.reduce(
    (text, [printed, walked]) => text.replaceAll(globally(printed), walked),
    command,
  );
  return /^run /.test(filled) && !filled.includes("--sandbox") ? `${filled} --sandbox process` : filled;
}

function globally(printed: RegExp | string): RegExp | string {
  return typeof printed === "string" ? printed : new RegExp(printed, "g");
}

/** Runs a line in the walker's folder, with nothing of the tester's own environment. */
export function walk(folder: string, line: string, timeout = 60_000) {
  return spawnSync("bash", ["-c", `mlebench() { "${process.execPath}" "${MAIN}" "$@"; }; ${line}`], {
    cwd: folder,
    encoding: "utf8",
    timeout,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      MLEBENCH_DATA_DIR: path.join(folder, "data"),
      TMPDIR: process.env.TMPDIR,
    },
  });
}
