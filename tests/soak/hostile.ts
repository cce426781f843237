import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { loadAgents } from "../../src/agents/definition/load-definitions.ts";
import type { RunRequest } from "../../src/workflows/run/request.ts";
import { startMlebench } from "../e2e/cli.ts";
import { makeArena } from "../e2e/hostile/arena.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { COMPETITION, shellAgent } from "../e2e/trials/setting.ts";

// `npm run soak -- hostile`: every hostile agent in one harness, `--width` at a time (20), each with `--seconds` (8),
// beside honest trials whose deadline, result and record must be untouched; `--only name,name` takes some of them,
// `--sandbox podman` the other isolation (bubblewrap). The built package and the sandbox must be there.
//
// A deadline is late by more than the machine itself is: a process beside, which does nothing but wait, says how late it
// is woken. Where that alone is too much, the deadline cannot be judged, and is counted apart.
const { values } = parseArgs({
  options: {
    width: { type: "string", default: "20" },
    seconds: { type: "string", default: "8" },
    only: { type: "string" },
    sandbox: { type: "string", default: "bubblewrap" },
  },
});
const width = Number(values.width);
const seconds = Number(values.seconds);
const only = values.only?.split(",");
const LATE_SECONDS = 0.2;
const GRACE_SECONDS = 1;
const idle = watchTheMachine();
const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
const judged = { kept: 0, late: 0, unjudged: 0 };
const { startRun } = (await import(path.resolve("dist/public/run.js"))) as {
  startRun(request: RunRequest): Promise<{ status: string; folder?: string }>;
};

const sandbox = values.sandbox === "podman" ? "podman" : "bubblewrap";
const arena = await makeArena([sandbox]);
const problems: string[] = [];
const request = (agent: string, folder: string, name: string): RunRequest => ({
  agent,
  competitions: [COMPETITION],
  runsDir: path.join(arena.root, "soak"),
  name,
  agentFolders: [folder],
  dataDir: arena.dataDir,
  sandbox,
  image: arena.systemFor(sandbox).image ?? undefined,
  rootFolder: arena.systemFor(sandbox).rootFolder ?? null,
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
    .filter((id) => id.startsWith("hostile/"))
    .filter((id) => only === undefined || only.includes(id.split("/").at(-1)!));
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
    problems.push(...(await honestProblems(path.join(arena.root, "soak", name))));
  } while (!over);
  await lanes;
  const load = os.loadavg()[0].toFixed(1);
  console.log(
    `${ids.length} hostile agents in ${sandbox}, ${width} at a time, beside ${beside} honest trials; load ${load}`,
  );
  const { kept, late, unjudged } = judged;
  console.log(`deadlines: ${kept} kept, ${late} late, ${unjudged} on a machine too busy to judge`);
} finally {
  idle.stop();
  arena.close();
}
console.log(problems.length === 0 ? "nothing of the honest trials was touched" : problems.join("\n"));
process.exit(problems.length === 0 ? 0 : 1);

async function honestProblems(group: string): Promise<string[]> {
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
    .map((line) => JSON.parse(line) as { type: string; data: { frozenAfterSeconds?: number } });
  const frozenAfter = events.find(({ type }) => type === "deadline")?.data.frozenAfterSeconds ?? Number.NaN;
  const due = Date.parse(startedAt) + seconds * 1000;
  const late = frozenAfter - seconds;
  const machine = idle.lateness(due, due + late * 1000);
  const { user, system } = process.cpuUsage();
  console.log(
    `honest trial: deadline ${late.toFixed(3)} s from its time, an idle process ${machine.toFixed(3)} s; ` +
      `our loop stood still for ${(loop.max / 1e9).toFixed(3)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU`,
  );
  loop.reset();
  if (late - machine <= LATE_SECONDS) judged.kept++;
  else if (machine > LATE_SECONDS) judged.unjudged++;
  else {
    judged.late++;
    found.push(`${group}: its deadline came ${late} s late`);
  }
  // Not waited for in place: that would keep everybody else's time from being kept.
  const verifying = startMlebench(["verify", group, "--data-dir", arena.dataDir]);
  let said = "";
  for (const stream of [verifying.stdout, verifying.stderr])
    stream?.on("data", (piece) => {
      said += piece;
    });
  const [code] = await once(verifying, "close");
  if (code !== 0) found.push(`${group}: ${said}`);
  return found;
}

/** How late this machine wakes a process that only waits, moment by moment. */
function watchTheMachine() {
  const file = path.join(temporaryFolder(), "lateness");
  fs.writeFileSync(file, "");
  const script = `
    const fs = require("node:fs");
    const [file, every] = [process.argv[1], 20];
    const wait = () => {
      const due = performance.now() + every;
      setTimeout(() => {
        const late = performance.now() - due;
        if (late > 5) fs.appendFileSync(file, Date.now() + " " + late.toFixed(1) + "\\n");
        wait();
      }, every);
    };
    wait();`;
  const child = spawn(process.execPath, ["-e", script, file], { stdio: "ignore" });
  return {
    /** In seconds: the worst between two moments, and of what lay over the first. */
    lateness(from: number, to: number): number {
      const seen = fs
        .readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split(" ").map(Number));
      const around = seen.filter(([at, late]) => at >= from && at - late <= to + 50);
      return Math.max(0, ...around.map(([, late]) => late)) / 1000;
    },
    stop: () => child.kill(),
  };
}

function readJson(file: string) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}
