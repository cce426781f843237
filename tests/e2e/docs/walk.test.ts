// full: runs every command line that the pages print
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

// A new user's walk through all pages: every command line that a code block prints is run, in a folder that has what the
// pages speak of. Only what names cannot stand as printed is replaced; what needs Kaggle, a key, an engine or an hour is
// listed with the reason.
const MAIN = path.resolve("dist/cli/main.js");
const PAGES = [
  ...fs
    .readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "README.md",
];
const root = temporaryFolder();

const NOT_HERE: [pattern: RegExp, why: string][] = [
  [/^prepare .*(--lite|--split starter|spooky-author)/, "downloads from Kaggle, or takes minutes"],
  [/^prepare -c leaf-classification --raw/, "needs the archive that Kaggle gives"],
  [/^(demo|init) /, "has tests of its own: minutes"],
  [/^doctor/, "asks Kaggle"],
  [/^(models|env) /, "needs a provider's key, or an engine"],
  [/--model/, "needs a provider's key"],
  [/^run --agent baseline/, "has tests of its own: minutes"],
  [/random-acts-of-pizza|-c strikes| strikes |-c my-competition/, "needs data that this page makes or gets"],
  [/--replay execute/, "has tests of its own"],
  [/^verify .*(their\.pub|announce)|--announce/, "needs the key, or the announcement, of somebody else"],
  [/starter-spam|four-against-twenty-four/, "needs prepared data, or a day"],
  [
    /^(list|show|validate|grade-sample).*my-competition|^list$/,
    "tried by tests/e2e/add-a-competition.test.ts",
  ],
];

interface Line {
  page: string;
  line: number;
  command: string;
}

/** Every line of a code block that calls the command, without its comment. */
function printedCommands(page: string): Line[] {
  let inside = false;
  return fs
    .readFileSync(page, "utf8")
    .split("\n")
    .flatMap((text, i) => {
      if (text.startsWith("```")) inside = !inside;
      const match = inside ? /^\s*(?:\$ )?mlebench (.+)$/.exec(text) : null;
      if (match === null) return [];
      return [{ page, line: i + 1, command: match[1].replace(/\s+#.*$/, "").trim() }];
    });
}

const all = PAGES.flatMap(printedCommands);
const isHere = ({ command }: Line) => !NOT_HERE.some(([pattern]) => pattern.test(command));

/** What stands for something, as the walker would fill it in. */
function filledIn(command: string): string {
  return command
    .replaceAll("--split lite", "--split ids.txt")
    .replaceAll("--seeds 3 --workers 2", "--sandbox process")
    .replaceAll("runs/<group>", "runs/my-group")
    .replaceAll("<group>", "my-group")
    .replaceAll("--agent …", `--agent sample -c ${COMPETITION} --sandbox process`)
    .replaceAll("--agent dummy", "--agent dummy --sandbox process")
    .replaceAll("agents check --agents-dir my-agents", "agents check mine --agents-dir my-agents");
}

function walk(command: string) {
  return spawnSync(
    "bash",
    ["-c", `mlebench() { "${process.execPath}" "${MAIN}" "$@"; }; mlebench ${command}`],
    {
      cwd: root,
      encoding: "utf8",
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        MLEBENCH_DATA_DIR: path.join(root, "data"),
        TMPDIR: process.env.TMPDIR,
      },
    },
  );
}

beforeAll(() => {
  const dataDir = layOutPrepared(path.join(root, "data"));
  fs.copyFileSync(
    path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv"),
    path.join(root, "submission.csv"),
  );
  writeText(root, "ids.txt", COMPETITION);
  writeText(
    root,
    "submissions.jsonl",
    JSON.stringify({ competition_id: COMPETITION, submission_path: "submission.csv" }),
  );
  writeText(root, "my-agents/mine/config.yaml", "mine: { command: [sh, -c, exit 0] }");
  writeText(root, "request.json", JSON.stringify({ competitionIds: [COMPETITION] }));
  writeText(
    root,
    "my-agent.yaml",
    JSON.stringify({ agent: "mine", reports: ["runs/my-group"], padMissing: true }),
  );
  const made = walk(`run --agent sample -c ${COMPETITION} --sandbox process --name my-group --grade`);
  expect(made.status, made.stderr).toBe(0);
  for (const name of ["nightly", "a", "b", "c", "a1", "a2", "a3", "b1", "b2", "b3", "x_run-group_my-agent"])
    fs.cpSync(path.join(root, "runs/my-group"), path.join(root, "runs", name), { recursive: true });
}, 60_000);

test("the pages print commands, and most of them can be walked here", () => {
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(isHere).length).toBeGreaterThan(20);
});

test("every page is in the list of pages", () => {
  const index = fs.readFileSync("docs/README.md", "utf8");
  for (const page of PAGES.filter((name) => name.startsWith("docs/") && name !== "docs/README.md"))
    expect(index, page).toContain(`(${path.basename(page)})`);
});

describe("what a page prints works as it is printed", () => {
  test.each(all.filter(isHere).map(({ page, line, command }) => [`${page}:${line}`, command]))(
    "%s  mlebench %s",
    { timeout: 90_000 },
    (_, command) => {
      const { status, stderr } = walk(filledIn(command));
      expect([0, 1], stderr).toContain(status);
      expect(stderr).not.toContain("bug of mlebench");
    },
  );
});

describe("what cannot be walked here is at least a command with options of its own", () => {
  test.each(
    all.filter((line) => !isHere(line)).map(({ page, line, command }) => [`${page}:${line}`, command]),
  )("%s  mlebench %s", (_, command) => {
    const words = command.split(/\s+/);
    const [name, sub] = words;
    const nested = ["agents", "models", "env", "keys", "experiment", "dev"].includes(name);
    const help = walk(`${name} ${nested && sub ? sub : ""} --help`).stdout;
    for (const option of words.filter((word) => /^--[a-z]/.test(word))) expect(help).toContain(option);
  });
});
