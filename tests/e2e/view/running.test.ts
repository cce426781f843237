// full: drives a browser while a group really runs
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import type { Trial } from "../../../src/trials/trial/schema.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench, startMlebench } from "../cli.ts";
import { KIND } from "../trials/kinds.ts";
import { COMPETITION, scene, shellAgent } from "../trials/setting.ts";
import { askJson, type StartedViewer, startViewer } from "./start.ts";

const CHROMIUM = hasProgram("chromium", "the viewer in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;

/** Works for a while, says so, and submits twice. */
const AGENT = `for i in 1 2 3 4; do echo "step $i"; n=0; while [ $n -lt 60000 ]; do n=$((n+1)); done; sleep 0.6
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; done; sleep 1`;

/** Whatever a test makes of it: nothing runs on behind it, on folders that are swept away. */
async function end(run: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (run.exitCode === null && run.signalCode === null) run.kill("SIGTERM");
  await ended;
}

describe.skipIf(CHROMIUM === null)("while a group runs", { timeout: 240_000 }, () => {
  const setting = scene(AGENT);
  let browser: Browser;
  let viewer: StartedViewer;
  beforeAll(async () => {
    fs.mkdirSync(setting.runsDir, { recursive: true });
    viewer = await startViewer(setting.runsDir);
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await viewer?.end();
  });

  test("it appears, its grid fills, and what a trial uses is drawn, without anybody reloading", async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const messages: string[] = [];
    page.on("pageerror", (error) => messages.push(error.message));
    await page.goto(viewer.url);
    await page.waitForSelector("main h1");
    await page.evaluate("globalThis.stillTheSamePage = true");
    const run = startMlebench([
      ...["run", "--agent", "scripted", "--agents-dir", setting.agentsDir, "--data-dir", setting.dataDir],
      ...["--runs-dir", setting.runsDir, "--name", "growing", "-c", COMPETITION, "--seeds", "3"],
      ...["--workers", "1", "--sandbox", KIND, "--memory", "200MiB", "--time-limit", "60s"],
    ]);
    const ended = once(run, "exit");
    try {
      await page.locator(".row", { hasText: "growing" }).waitFor();
      // What it says now, on the first page.
      await page.locator(".last-line", { hasText: /step \d/ }).waitFor();
      await page.evaluate('location.hash = "#/group/growing"');
      const finished = () => page.locator(".square .cell:not(.s-waiting):not(.s-running)").count();
      const seen = new Set<number>();
      for (let i = 0; i < 1500 && (await finished()) < 3; i++) {
        seen.add(await finished());
        await page.waitForTimeout(100);
      }
      expect(await finished()).toBe(3);
      // It was seen on the way, not only at the end.
      expect(seen.size).toBeGreaterThan(1);
      const [code] = await ended;
      expect(code).toBe(0);
      await page.locator(".square").first().click();
      await page.waitForSelector(".trial-head");
      await page.locator("svg.story .usage-area").nth(1).waitFor();
      expect(await page.evaluate("globalThis.stillTheSamePage")).toBe(true);
      expect(messages).toEqual([]);
      await page.close();
    } finally {
      await end(run, ended);
    }
  });

  test("a trial is cancelled from its page, asked for twice, and its group goes on to the next", async () => {
    shellAgent(setting.agentsDir, "echo waiting; sleep 600", "sleeper");
    const run = startMlebench([
      ...["run", "--agent", "sleeper", "--agents-dir", setting.agentsDir, "--data-dir", setting.dataDir],
      ...["--runs-dir", setting.runsDir, "--name", "to-cancel", "-c", COMPETITION, "--seeds", "2"],
      ...["--workers", "1", "--sandbox", KIND, "--memory", "200MiB", "--time-limit", "580s", "--grace", "1"],
    ]);
    const ended = once(run, "exit");
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${viewer.url}#/runs`);
      for (let seed = 0; seed < 2; seed++) {
        const card = page.locator(".running .card", { hasText: `seed ${seed}` });
        await card.locator(".last-line", { hasText: "waiting" }).waitFor();
        await card.getByRole("link").click();
        await page.getByRole("button", { name: "Cancel trial" }).click();
        await page.getByRole("button", { name: "No", exact: true }).click();
        await page.getByRole("button", { name: "Cancel trial" }).click();
        await page.getByRole("button", { name: "Yes, end it now" }).click();
        await page.getByText("will be cancelled").waitFor();
        await page.evaluate('location.hash = "#/runs"');
      }
      await ended;
      const group = path.join(setting.runsDir, "to-cancel");
      const reasons = fs
        .readdirSync(group)
        .map((name) => path.join(group, name, "trial.json"))
        .filter((file) => fs.existsSync(file))
        .map((file) => (JSON.parse(fs.readFileSync(file, "utf8")) as Trial).outcome?.stopReason);
      expect(reasons).toEqual(["cancelled", "cancelled"]);
      await page.close();
    } finally {
      await end(run, ended);
    }
  });

  test("memory and processor time were recorded over time, are sealed, and are in the report", async () => {
    const group = path.join(setting.runsDir, "growing");
    const trial = fs.readdirSync(group).find((name) => fs.existsSync(path.join(group, name, "usage.jsonl")))!;
    const { points } = await askJson<{ points: { memoryBytes: number; processors: number }[] }>(
      viewer,
      `/api/usage?group=growing&trial=${trial}`,
    );
    expect(points.length).toBeGreaterThan(2);
    expect(points.some(({ memoryBytes, processors }) => memoryBytes > 0 && processors > 0)).toBe(true);
    expect(mlebench(["verify", group]).code).toBe(0);
    // Grades first: a report of what nobody graded says so by its code.
    expect(mlebench(["grade", group, "--data-dir", setting.dataDir]).code).toBe(0);
    expect(mlebench(["report", group, "-o", path.join(setting.root, "report.html")]).code).toBe(0);
    expect(fs.readFileSync(path.join(setting.root, "report.html"), "utf8")).toContain('<path class="usage ');
    fs.appendFileSync(path.join(group, trial, "usage.jsonl"), "[99,1,1]\n");
    expect(mlebench(["verify", group]).code).toBe(1);
  });
});
