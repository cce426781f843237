// full: the baseline learns twice, and a trial runs in a real sandbox
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wordPattern, wordsOf } from "../../../src/data/disguise/text.ts";
import { agentPlace, runAgent } from "../baseline/agent-process.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { shellAgent } from "../trials/setting.ts";

const ID = "starter-house-prices";
const root = temporaryFolder();
const data = path.join(root, "data");
const places = ["--data-dir", data, "--runs-dir", path.join(root, "runs")];

/** Shows everything it can see, asks for a check of bad files and a good one, and submits the sample. */
const SCRIPT = `
env | sort > "$LOGS_DIR/env.txt"
for process in /proc/[0-9]*; do
  for name in cmdline environ mountinfo cgroup; do tr '\\0' '\\n' < $process/$name 2>/dev/null; done
done > "$LOGS_DIR/processes.txt"
{ mount; hostname; ls -laR /home; } > "$LOGS_DIR/machine.txt" 2>&1
cp /home/instructions.txt "$LOGS_DIR/instructions.txt" 2>/dev/null
cp -r "$DATA_DIR" "$LOGS_DIR/data"
printf 'column_001,wrong\\nh00405,1\\n' > bad.csv
/home/validate_submission.sh bad.csv > "$LOGS_DIR/bad.txt" 2>&1
sample="$DATA_DIR/sample_submission.csv"
for how in 1d 's/h/x/' 2d 's/,.*/,much/' 's/,/,,/' '$p' '2,$d' 's/column/x/g' 's/column_001/house_id/'; do
  sed "$how" "$sample" > bad.csv
  /home/validate_submission.sh bad.csv
done > "$LOGS_DIR/worse.txt" 2>&1
head -c 3000 /dev/urandom > bad.csv
/home/validate_submission.sh bad.csv >> "$LOGS_DIR/worse.txt" 2>&1
/home/validate_submission.sh "$DATA_DIR/sample_submission.csv" > "$LOGS_DIR/good.txt" 2>&1
sed 's/180000/181234/' "$DATA_DIR/sample_submission.csv" > "$SUBMISSION_DIR/submission.csv"
sleep 2
`;

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

test("nothing that an agent sees names the competition, its file is checked and graded all the same, and verify agrees", {
  timeout: 180_000,
}, () => {
  expect(mlebench(["prepare", "-c", ID, "--data-dir", data], {}, 120_000).code).toBe(0);
  const agents = shellAgent(path.join(root, "agents"), SCRIPT);
  const ran = mlebench(
    [
      "run",
      "--agent",
      "scripted",
      "--agents-dir",
      agents,
      "-c",
      ID,
      ...places,
      "--name",
      "hidden",
      "--obfuscate",
      "--time-limit",
      "60s",
      "--grade",
    ],
    {},
    120_000,
  );
  expect(ran.code, ran.stderr).toBe(0);
  const group = path.join(root, "runs/hidden");
  const trial = path.join(group, fs.readdirSync(group).find((name) => name.startsWith("task_"))!);
  const words = wordsOf(ID, "House Prices in Ames");
  const seen = filesBelow(path.join(trial, "logs"));
  expect(seen.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(["env.txt", "instructions.txt", "bad.txt", "train.csv", "description.md"]),
  );
  for (const file of seen) {
    // Where the runner keeps its groups and data is not the subject here, what is below is.
    const text = `${path.relative(trial, file)}\n${fs.readFileSync(file, "utf8")}`.replaceAll(root, "");
    for (const word of words) expect(text.match(wordPattern(word))?.[0], `${file}: ${word}`).toBeUndefined();
    // What the agent itself asked about may be named to it.
    if (!file.endsWith("worse.txt"))
      expect(text, file).not.toMatch(/\b(sale_price|house_id|gr_liv_area|neighborhood)\b/);
  }
  expect(fs.readFileSync(path.join(trial, "logs/bad.txt"), "utf8")).toContain("column_074");
  expect(
    fs.readFileSync(path.join(trial, "logs/worse.txt"), "utf8").match(/invalid/g)?.length,
  ).toBeGreaterThan(6);
  expect(fs.readFileSync(path.join(trial, "logs/processes.txt"), "utf8")).toContain("/work/submission");
  expect(fs.readFileSync(path.join(trial, "logs/good.txt"), "utf8")).toContain("Submission is valid");
  expect(fs.readFileSync(path.join(trial, "submission/submission.csv"), "utf8")).toMatch(
    /^house_id,sale_price\nh/,
  );
  const record = JSON.parse(fs.readFileSync(path.join(trial, "trial.json"), "utf8"));
  expect(record.obfuscation).toMatchObject({ name: expect.stringMatching(/^task-[0-9a-f]{6}$/) });
  const verified = mlebench(["verify", "hidden", ...places]);
  expect(verified.code, verified.stdout).toBe(0);
});

test("materials that name the competition are refused: nobody could leave them out who does not know it", () => {
  const materials = path.join(root, "materials");
  writeText(materials, "toolbox/trees.py", "def grow():\n    return 1\n");
  writeText(materials, "winner/README.md", "# Notes on House Prices in Ames\n");
  writeText(materials, "winner/main.py", "x = 1\n");
  const args = ["run", "--agent", "repo", "-c", ID, ...places, "--materials", materials, "--obfuscate"];
  const ran = mlebench([...args, "--name", "named"]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/MATERIALS_NAME_IT.*winner\/README\.md/s);
  expect(fs.existsSync(path.join(root, "runs/named"))).toBe(false);
  fs.rmSync(path.join(materials, "winner"), { recursive: true });
  writeText(materials, "repo.yaml", "task_description: House Prices in Ames\n");
  const beside = mlebench([...args, "--name", "beside"]);
  expect(beside.code).toBe(2);
  expect(beside.stderr).toMatch(/MATERIALS_NAME_IT.*repo\.yaml/s);
});

test("the baseline scores the same, as only names changed", { timeout: 300_000 }, async () => {
  const submissions: string[] = [];
  const plain = path.join(data, ID, "prepared/public");
  const place = path.join(data, ".disguised");
  const hidden = path.join(place, fs.readdirSync(place)[0]);
  for (const [competition, folder] of [
    [ID, plain],
    ["task-abcdef", hidden],
  ]) {
    const agent = agentPlace({ competition, data: folder, seconds: 8, untilDeadline: 400 });
    const { code, stderr } = await runAgent(agent.variables);
    expect(code, stderr).toBe(0);
    submissions.push(fs.readFileSync(agent.submission, "utf8"));
  }
  expect(submissions[1].replace(/^.*\n/, "")).toBe(submissions[0].replace(/^.*\n/, ""));
  const scores = submissions.map((text, i) => {
    const file = writeText(root, `${i}.csv`, text.replace("column_001,column_074", "house_id,sale_price"));
    return (json(mlebench(["grade-sample", file, ID, "--data-dir", data, "--json"])) as { score: number })
      .score;
  });
  expect(scores[0]).toBeGreaterThan(0);
  expect(scores[1]).toBe(scores[0]);
});
