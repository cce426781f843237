import path from "node:path";
import { expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

const ANSWERS = '"$(readlink -f "$DATA_DIR")"/../private/test.csv';
const TARGET = '"$SUBMISSION_DIR/submission.csv"';

function runAgent(script: string): string {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agents = shellAgent(path.join(root, "agents"), script);
  const runs = path.join(root, "runs");
  const { code, stderr } = mlebench([
    ...["run", "--agent", "scripted", "--agents-dir", agents, "--data-dir", dataDir, "--runs-dir", runs],
    ...["-c", COMPETITION, "--name", "thief", "--sandbox", "process", "--grade"],
  ]);
  expect(code, stderr).toBe(0);
  return path.join(runs, "thief");
}

interface Found {
  failed: { findings: { class: string; evidence: { text: string }[] }[] }[];
}

test("an agent without isolation that copied the answers is found out, and its medal says so", () => {
  const group = runAgent(`cp ${ANSWERS} ${TARGET}`);
  const found = mlebench(["failures", group, "--json"]);
  expect(found.code).toBe(1);
  const [{ findings }] = (json(found) as Found).failed;
  expect(findings[0]).toMatchObject({
    class: "answers-copied",
    evidence: [
      {
        text: "agrees with test.csv, the private answers, in 100.0 % of what they say; it ran without isolation",
      },
    ],
  });
  const told = "process, NOT isolated: its submission agrees with test.csv, the private answers";
  const markdown = mlebench(["report", group, "--format", "markdown"]).stdout.replaceAll("\\", "");
  expect(markdown).toContain(told);
  expect(markdown).toContain("answers copied, it seems");
  const split = writeText(temporaryFolder(), "ids.txt", `${COMPETITION}\n`);
  expect(mlebench(["aggregate", "--runs", group, "--split", split]).stdout).toContain(told);
});

test("one that hides it by a little noise has a perfect score all the same", () => {
  const group = runAgent(`sed 's/,1,/,0.9999999999999999,/' ${ANSWERS} > ${TARGET}`);
  const [{ findings }] = (json(mlebench(["failures", group, "--json"])) as Found).failed;
  expect(findings[0].class).toBe("answers-copied");
});

test("an honest one is not suspected", () => {
  const group = runAgent(`cp "$DATA_DIR/sample_submission.csv" ${TARGET}`);
  const classes = (json(mlebench(["failures", group, "--json"])) as Found).failed.flatMap(({ findings }) =>
    findings.map((finding) => finding.class),
  );
  expect(classes).not.toContain("answers-copied");
});
