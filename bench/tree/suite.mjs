// What tree search costs beside its models and its programs: the time of a search of 500 steps that is neither spent
// waiting for a reply nor running a program, and the memory of the agent over its steps. Needs the built package.
// `--quick`: 60 steps; `--steps <n>`; `--profile <folder>`: a CPU profile of the agent.
//
// The verdict is about wall time, as a user has it: measure on a quiet machine. How long the agent waited for a core and
// the processor time it took are printed beside it, to tell its own work from that of others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const DIST = path.resolve(import.meta.dirname, "../../dist");
const MAX_SHARE = 0.02;
const MODEL = "simulated:steady";

export async function run(options) {
  const given = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
  const steps = Number(given("--steps") ?? (options.includes("--quick") ? 60 : 500));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-bench-"));
  const gateway = await startGateway(folder);
  try {
    const result = await search(folder, gateway, steps, given("--profile"));
    const percent = (share) => `${(100 * share).toFixed(2)} %`;
    const text = `${steps} steps in ${result.wallSeconds.toFixed(1)} s: ${result.modelSeconds.toFixed(1)} s models, ${result.executionSeconds.toFixed(1)} s programs, ${result.besideSeconds.toFixed(2)} s beside them: overhead ${percent(result.share)} (limit ${percent(MAX_SHARE)}); the agent waited ${result.waitedSeconds.toFixed(2)} s for a core and took ${result.cpuSeconds.toFixed(2)} s of processor time (${percent(result.cpuSeconds / result.wallSeconds)}); it held ${result.memoryMb.toFixed(0)} MB at most, its journal has ${(result.journalBytes / steps / 1000).toFixed(1)} kB a step`;
    console.log(options.includes("--json") ? JSON.stringify(result, null, 2) : text);
    return result.share < MAX_SHARE ? 0 : 1;
  } finally {
    gateway.child.kill("SIGTERM");
    await once(gateway.child, "exit");
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Written by the agent itself when it exits: processor time, and how long it was ready without a core. */
const MEASURES = `import fs from "node:fs"; process.on("exit", () => fs.writeFileSync(process.env.MEASURES, JSON.stringify({ cpu: process.cpuUsage(), scheduled: fs.readFileSync("/proc/self/schedstat", "utf8") })))`;

async function search(folder, { url }, steps, profile) {
  const data = writeData(path.join(folder, "data"));
  for (const name of ["submission", "logs", "code", "agent"]) fs.mkdirSync(path.join(folder, name));
  const place = (name) => path.join(folder, name);
  const args = ["preset=bench", `agent.steps=${steps}`, "agent.language=js", "agent.review=fallback"];
  const more = ["search.policy=mixed", "parts.memory=scoped", "parts.lessons=true", "exec.timeout=60"];
  const started = performance.now();
  const node = [
    ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${path.resolve(profile)}`]),
    `--import=data:text/javascript,${encodeURIComponent(MEASURES)}`,
  ];
  const agent = path.join(DIST, "agents/tree/agent.mjs");
  const child = spawn(process.execPath, [...node, agent, ...args, ...more], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      COMPETITION_ID: "bench",
      DATA_DIR: data,
      SUBMISSION_DIR: place("submission"),
      LOGS_DIR: place("logs"),
      CODE_DIR: place("code"),
      AGENT_DIR: place("agent"),
      MLEBENCH_SEED: "0",
      MLEBENCH_VALIDATE_URL: "http://127.0.0.1:9/validate",
      MLEBENCH_MODEL: MODEL,
      MLEBENCH_MODEL_URL: url,
      MLEBENCH_MODEL_TOKEN: "none",
      MEASURES: place("measures.json"),
    },
  });
  let memoryMb = 0;
  const look = setInterval(() => {
    memoryMb = Math.max(memoryMb, residentMb(child.pid));
  }, 1000);
  const [code] = await once(child, "exit");
  clearInterval(look);
  if (code !== 0) throw new Error(`the agent ended with ${code}`);
  const wallSeconds = (performance.now() - started) / 1000;
  const text = fs.readFileSync(place("logs/journal.jsonl"), "utf8");
  const lines = text.trim().split("\n").slice(1).map(JSON.parse);
  const sum = (name) => lines.reduce((total, line) => total + line[name], 0);
  const [modelSeconds, executionSeconds] = [sum("modelSeconds"), sum("executionSeconds")];
  const { cpu, scheduled } = JSON.parse(fs.readFileSync(place("measures.json"), "utf8"));
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const waitedSeconds = Number(scheduled.split(" ")[1]) / 1e9;
  const besideSeconds = wallSeconds - modelSeconds - executionSeconds;
  return {
    steps,
    wallSeconds,
    modelSeconds,
    executionSeconds,
    besideSeconds,
    waitedSeconds,
    cpuSeconds,
    share: besideSeconds / wallSeconds,
    memoryMb,
    journalBytes: text.length,
  };
}

function residentMb(pid) {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
}

async function startGateway(folder) {
  const child = spawn(
    process.execPath,
    [
      path.join(DIST, "cli/main.js"),
      ...["models", "serve", "--model", MODEL, "--no-token", "--json"],
      ...["--folder", path.join(folder, "kept")],
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (url) return { child, url };
  }
  throw new Error("the gateway did not start");
}

/** Programs that take a second or so: real ones take minutes, and the share would only be smaller. */
function writeData(folder) {
  fs.mkdirSync(folder);
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const row = (id) => {
    const cells = Array.from({ length: 12 }, () => (next() * 4 - 2).toFixed(4));
    const y = 10 + 2 * cells[0] + cells[1] * cells[1] + next();
    return { cells: [id, ...cells], y: y.toFixed(4) };
  };
  const names = Array.from({ length: 12 }, (_, i) => `x${i}`);
  const train = Array.from({ length: 12_000 }, (_, i) => row(`t${i}`));
  const test = Array.from({ length: 500 }, (_, i) => row(`q${i}`));
  const write = (name, lines) => fs.writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
  write("train.csv", [
    ["id", ...names, "y"].join(","),
    ...train.map(({ cells, y }) => [...cells, y].join(",")),
  ]);
  write("test.csv", [["id", ...names].join(","), ...test.map(({ cells }) => cells.join(","))]);
  write("sample_submission.csv", ["id,y", ...test.map(({ cells: [id] }) => `${id},10`)]);
  write("description.md", ["# Bench", "", "## Metric", "", "**RMSE, lower is better.**"]);
  return folder;
}
