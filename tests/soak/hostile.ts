import fs from "node:fs";
import path from "node:path";
import { loadAgents } from "../../src/agents/definition/load-definitions.ts";
import type { RunRequest } from "../../src/workflows/run/request.ts";
import { mlebench } from "../e2e/cli.ts";
import { makeArena } from "../e2e/hostile/arena.ts";
import { COMPETITION, shellAgent } from "../e2e/trials/setting.ts";

// `npm run soak -- hostile [width] [seconds]`: every hostile agent in one harness, `width` at a time (20), each with
// `seconds` (8), beside honest trials whose deadline, result and record must be untouched. The built package and
// bubblewrap must be there.
const width = Number(process.argv[2] ?? 20);
const seconds = Number(process.argv[3] ?? 8);
const LATE_SECONDS = 0.2;
const GRACE_SECONDS = 1;
const { startRun } = (await import(path.resolve("dist/public/run.js"))) as {
  startRun(request: RunRequest): Promise<{ status: string; folder?: string }>;
};

const arena = await makeArena(["bubblewrap"]);
const problems: string[] = [];
const request = (agent: string, folder: string, name: string): RunRequest => ({
  agent,
  competitions: [COMPETITION],
  runsDir: path.join(arena.root, "soak"),
  name,
  agentFolders: [folder],
  dataDir: arena.dataDir,
  sandbox: "bubblewrap",
  rootFolder: arena.systemFor("bubblewrap").rootFolder ?? null,
  timeSeconds: seconds,
  graceSeconds: GRACE_SECONDS,
  memoryBytes: 2 ** 28,
  cpus: 0.5,
  processes: 128,
  diskBytes: 2 ** 27,
});
try {
  const ids = loadAgents([arena.agentsDir])
    .agents.map(({ id }) => id)
    .filter((id) => id.startsWith("hostile/"));
  const honest = shellAgent(
    path.join(arena.root, "honest"),
    'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; sleep 600',
    "honest",
  );
  const queue = [...ids];
  let beside = 0;
  const lane = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const name = id.replaceAll("/", "-");
      const outcome = await startRun(request(id, arena.agentsDir, name));
      if (outcome.status === "refused") continue;
      const { trials } = readJson(path.join(arena.root, "soak", name, "group.json"));
      const { status } = readJson(path.join(arena.root, "soak", name, trials[0].id, "trial.json"));
      if (status !== "finished") problems.push(`${id} is ${status}`);
    }
  };
  let over = false;
  const lanes = Promise.all(Array.from({ length: width }, lane)).finally(() => {
    over = true;
  });
  do {
    const name = `honest-${beside++}`;
    await startRun(request("honest", honest, name));
    problems.push(...honestProblems(path.join(arena.root, "soak", name)));
  } while (!over);
  await lanes;
  console.log(`${ids.length} hostile agents, ${width} at a time, beside ${beside} honest trials`);
} finally {
  arena.close();
}
console.log(problems.length === 0 ? "nothing of the honest trials was touched" : problems.join("\n"));
process.exit(problems.length === 0 ? 0 : 1);

function honestProblems(group: string): string[] {
  const { trials } = readJson(path.join(group, "group.json"));
  const folder = path.join(group, trials[0].id);
  const { status, outcome, final, startedAt } = readJson(path.join(folder, "trial.json"));
  const found: string[] = [];
  if (status !== "finished" || outcome?.stopReason !== "timeout")
    found.push(`${group}: ${status}, ${outcome?.stopReason}: ${outcome?.message}`);
  if (final?.sha256 == null) found.push(`${group}: its submission does not count: ${final?.why}`);
  const events = fs
    .readFileSync(path.join(folder, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; time: string });
  const at = (type: string) => Date.parse(events.find((event) => event.type === type)?.time ?? "");
  const late = (at("deadline") - Date.parse(startedAt)) / 1000 - seconds;
  console.log(`honest trial: deadline ${late.toFixed(3)} s from its time`);
  if (!(late <= LATE_SECONDS)) found.push(`${group}: its deadline came ${late} s late`);
  const verified = mlebench(["verify", group, "--data-dir", arena.dataDir]);
  if (verified.code !== 0) found.push(`${group}: ${verified.stdout}${verified.stderr}`);
  return found;
}

function readJson(file: string) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}
