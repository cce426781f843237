// full: runs every command line that the pages print
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";
import { filledIn, type Line, PAGES, printedCommands, walk } from "./walking.ts";

// A new user's walk through all pages: every command line that a code block prints is run, in a folder that has what the
// pages speak of. Only what names cannot stand as printed is replaced; what needs Kaggle, a key, an engine or an hour is
// listed with the reason.
const root = temporaryFolder();

const NOT_HERE: [pattern: RegExp, why: string][] = [
  [/^kernels |--judge|^plagiarism/, "needs Kaggle, a model, or a group with code"],
  [
    /^prepare .*(--lite|spooky-author)|^prepare -c leaf-classification --raw/,
    "needs Kaggle, or what it gives",
  ],
  [/^prepare .*--split starter|^demo /, "has tests of its own: minutes"],
  [/^init | strikes |-c strikes|my\/prices/, "walked below, or tried by tests/e2e/init"],
  [/^view(?!.*--export)/, "goes on until it is stopped; has tests of its own"],
  [/slurm/, "needs a cluster; tried by tests/e2e/slurm"],
  [/--gpus|--show/, "needs a GPU; tried by tests/e2e/gpus and scripts/try-gpu.sh"],
  [/--sandbox podman|^agents install|&& mlebench agents/, "needs an engine, or the makers of coding agents"],
  [/^logs .*--model|compatible:|--obfuscate [a-z]+:|recorded:/, "needs a model that answers in earnest"],
  [/their\.pub|announce/, "needs the key, or the announcement, of somebody else"],
  [/four-against-twenty-four/, "takes a day; tried by tests/e2e/analysis"],
  [/my-competition/, "tried by tests/e2e/add-a-competition.test.ts"],
  [/--agent repo --materials <folder>|--agent repo .*shelf/, "tried by tests/e2e/agents"],
];

/** Everything else ends with 0. */
const ENDS_WITH_1: [pattern: RegExp, why: string][] = [
  [/^failures /, "the walker's group ran without isolation, which is a finding"],
  [/^scorecard /, "the sample submission cannot be replayed"],
  [/^prepare -c <id>/, "the walker's data are a small sample of the competition's"],
];

const COPIES = "cp $DATA_DIR/sample_submission.csv $SUBMISSION_DIR/submission.csv";

const all = PAGES.flatMap(printedCommands);
const isHere = ({ command }: Line) => !NOT_HERE.some(([pattern]) => pattern.test(command));

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
  writeText(root, "agents/my-agent/config.yaml", `my-agent: { command: [sh, -c, "${COPIES}"] }`);
  writeText(
    root,
    "models.yaml",
    "models: { priced: { model: simulated:steady, price: { input: 1, output: 1 } } }",
  );
  writeText(root, "request.json", JSON.stringify({ competitionIds: [COMPETITION] }));
  writeText(
    root,
    "my-agent.yaml",
    JSON.stringify({ agent: "mine", reports: ["runs/my-group"], padMissing: true }),
  );
  expect(walk(root, "mlebench prepare -c starter-spam starter-house-prices").status).toBe(0);
  const made = walk(
    root,
    `mlebench run --agent sample -c ${COMPETITION} --sandbox process --name my-group --grade`,
  );
  expect(made.status, made.stderr).toBe(0);
  for (const name of ["nightly", "a", "b", "c", "a1", "a2", "a3", "b1", "b2", "b3", "x_run-group_my-agent"])
    fs.cpSync(path.join(root, "runs/my-group"), path.join(root, "runs", name), { recursive: true });
}, 240_000);

test("the pages print commands, and most of them can be walked here", () => {
  expect(all.length).toBeGreaterThan(110);
  expect(all.filter(isHere).length).toBeGreaterThan(70);
});

test("every page is in the list of pages", () => {
  const index = fs.readFileSync("docs/README.md", "utf8");
  for (const page of PAGES.filter((name) => name.startsWith("docs/") && name !== "docs/README.md"))
    expect(index, page).toContain(`(${path.basename(page)})`);
});

test("a page that is followed in order never gives repositories and their index the same folder", () => {
  const folders = (page: string, option: string) =>
    all.flatMap((line) =>
      line.page === page ? (new RegExp(`${option} (\\S+)`).exec(line.command)?.slice(1) ?? []) : [],
    );
  expect(folders("docs/repo.md", "--index")).not.toEqual([]);
  expect(folders("docs/repo.md", "--materials")).not.toEqual([]);
  for (const page of PAGES)
    for (const index of folders(page, "--index"))
      expect(folders(page, "--materials"), page).not.toContain(index);
});

describe("what a page prints works as it is printed", () => {
  test.each(all.filter(isHere).map(({ page, line, command }) => [`${page}:${line}`, command]))(
    "%s  mlebench %s",
    { timeout: 90_000 },
    (_, command) => {
      const { status, stderr } = walk(root, `mlebench ${filledIn(command)}`);
      const failing = ENDS_WITH_1.some(([pattern]) => pattern.test(command));
      // What a machine lacks is not the same everywhere.
      if (/^doctor/.test(command)) expect([0, 1]).toContain(status);
      else expect(status, stderr).toBe(failing ? 1 : 0);
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
    const nested = ["agents", "models", "env", "keys", "experiment", "dev", "kernels", "integrity"].includes(
      name,
    );
    const help = walk(root, `mlebench ${name} ${nested && sub ? sub : ""} --help`).stdout;
    for (const option of words.filter((word) => /^--[a-z]/.test(word))) expect(help).toContain(option);
  });
});
