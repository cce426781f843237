// What the viewer promises, measured with a real browser on a folder of ten thousand trials.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { chromium } from "playwright-core";
import { burden, plantGroup } from "./plant.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
const GB = 2 ** 30;
/** As another machine would hold it: nobody here can say that it is dead. */
const ELSEWHERE = {
  schema: "mlebench/group-lock",
  version: 1,
  host: "elsewhere",
  pid: 1,
  started: null,
  machine: "x",
};

export async function run(options) {
  const quick = options.includes("--quick");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-bench-viewer-"));
  try {
    const results = await measure(folder, quick ? 1000 : 10_000);
    if (options.includes("--json")) console.log(JSON.stringify(results, null, 2));
    else
      for (const { what, value, limit, unit } of results)
        console.log(
          `${what.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(4)} (limit ${limit}) ${value <= limit ? "" : "OVER"}`,
        );
    return results.every(({ value, limit }) => value <= limit) ? 0 : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder, trials) {
  const runs = path.join(folder, "runs");
  const groups = Array.from({ length: 10 }, (_, i) => plantGroup(runs, `agent-${i}`, trials / 10));
  const heavy = groups[0];
  burden(path.join(heavy.folder, heavy.first), 5000, GB);
  const child = spawn(process.execPath, [
    path.join(ROOT, "dist/cli/main.js"),
    "view",
    "--runs-dir",
    runs,
    "--no-open",
    "--json",
  ]);
  let text = "";
  const url = await new Promise((resolve) => {
    child.stdout.on("data", (piece) => {
      text += piece;
      if (text.trimEnd().endsWith("}")) resolve(JSON.parse(text).url);
    });
  });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // The browser itself must not be what is measured: it starts once, on an empty page.
    await page.goto("about:blank");
    const paint = await timed(
      () => page.goto(url),
      () => page.waitForSelector(".row"),
    );
    await wait(6000);
    const go = (hash) => page.evaluate((to) => (location.hash = to), hash);
    const trial = `#/trial/${heavy.name}/${heavy.first}`;
    const opened = await timed(
      () => go(trial),
      () => page.locator(".log", { hasText: "epoch 3999" }).waitFor(),
    );
    const called = await timed(
      () => go(`${trial}?tab=calls`),
      () => page.locator(".call-item").nth(10).waitFor(),
    );
    const event = await eventDelay(page, runs, go);
    const idle = await idleShare(child.pid, page, go);
    const peakOfPages = memory(child.pid, "VmHWM");
    const beside = await besideStandings(page);
    const load = ["app.js", "app.css", "index.html"].reduce(
      (sum, name) => sum + zlib.gzipSync(fs.readFileSync(path.join(ROOT, "dist/viewer", name))).length,
      0,
    );
    return [
      { what: `first useful paint, ${trials} trials`, value: paint, limit: 1, unit: "s" },
      { what: "a trial with 5,000 calls and a 1 GB log", value: opened, limit: 1.5, unit: "s" },
      { what: "its model calls", value: called, limit: 1.5, unit: "s" },
      { what: "an event on disk shows in the page", value: event, limit: 1, unit: "s" },
      { what: "server's peak memory", value: peakOfPages / 1024, limit: 250, unit: "MB" },
      { what: "server's CPU while nothing happens", value: idle, limit: 1, unit: "%" },
      { what: "another page while standings are worked out", value: beside, limit: 1, unit: "s" },
      { what: "first load, compressed", value: load / 1000, limit: 150, unit: "kB" },
    ];
  } finally {
    await browser.close();
    child.kill("SIGTERM");
  }
}

async function timed(start, done) {
  const from = performance.now();
  await start();
  await done();
  return (performance.now() - from) / 1000;
}

/** A group that runs, by its lock and its heartbeat: a line is added to its log while the page looks at it. */
async function eventDelay(page, runs, go) {
  const { name, folder: made, first } = plantGroup(`${runs}-to-come`, "live", 2);
  const folder = path.join(runs, name);
  fs.rmSync(path.join(made, "metadata.json"));
  const trial = path.join(made, first);
  fs.rmSync(path.join(trial, "certificate.json"));
  const record = JSON.parse(fs.readFileSync(path.join(trial, "trial.json"), "utf8"));
  fs.writeFileSync(
    path.join(trial, "trial.json"),
    JSON.stringify({ ...record, status: "running", outcome: null, endedAt: null, measurements: null }),
  );
  fs.writeFileSync(path.join(made, "group.lock"), JSON.stringify(ELSEWHERE));
  fs.writeFileSync(path.join(trial, "run.log"), "begin\n");
  fs.renameSync(made, folder);
  const log = path.join(folder, first, "run.log");
  await wait(1000);
  await go(`#/trial/${name}/${first}`);
  await page.locator(".log", { hasText: "begin" }).waitFor();
  await wait(3000);
  const delays = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    fs.appendFileSync(log, `line ${i} of five\n`);
    await page.locator(".log", { hasText: `line ${i} of five` }).waitFor();
    delays.push((performance.now() - from) / 1000);
    await wait(300);
  }
  return Math.max(...delays);
}

/** CPU of the server in per cent of one core, while the page shows the runs and nothing changes. */
async function idleShare(pid, page, go) {
  await go("#/runs");
  await page.waitForSelector(".row");
  await wait(3000);
  const before = cpuSeconds(pid);
  await wait(10_000);
  return ((cpuSeconds(pid) - before) / 10) * 100;
}

/** The longest that anything else waits while the standings of all trials are worked out. */
function besideStandings(page) {
  return page.evaluate(async () => {
    let done = false;
    const standings = fetch("/api/standings")
      .then(async (reply) => {
        const text = await reply.text();
        if (!reply.ok)
          throw new Error(`The standings were answered with ${reply.status}: ${text.slice(0, 200)}`);
      })
      .finally(() => {
        done = true;
      });
    // It is waited for below; until then a failure must not count as nobody's.
    standings.catch(() => {});
    let longest = 0;
    while (!done) {
      const from = performance.now();
      await (await fetch("/api/runs")).text();
      longest = Math.max(longest, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await standings;
    return longest / 1000;
  });
}

function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function memory(pid, name) {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
}
