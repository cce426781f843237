// full: runs an agent with a simulated model, and drives a browser over what it did
import fs from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import type { CallsPart } from "../../../src/viewer/routes/calls.ts";
import type { CommandsPart } from "../../../src/viewer/routes/commands.ts";
import type { EventsPart } from "../../../src/viewer/routes/events.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";
import { askJson, type StartedViewer, startViewer } from "./start.ts";

const CHROMIUM = hasProgram("chromium", "the viewer in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;

describe("what an agent did by tools", { timeout: 240_000 }, () => {
  const root = temporaryFolder();
  const runs = path.join(root, "runs");
  let viewer: StartedViewer;
  let trial = "";

  beforeAll(async () => {
    const data = path.join(root, "data");
    expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data], {}, 240_000).code).toBe(0);
    const ran = mlebench(
      [
        ...["run", "--agent", "tools/codeact", "--model", "simulated:steady", "-c", "starter-spam"],
        ...["--data-dir", data, "--runs-dir", runs, "--name", "tools", "--sandbox", KIND, "--grade"],
        ...["--time-limit", "120s"],
      ],
      {},
      240_000,
    );
    expect(ran.code, ran.stderr).toBe(0);
    const isTrial = (name: string) => name.startsWith("starter-spam_");
    trial = fs.readdirSync(path.join(runs, "tools")).find(isTrial)!;
    viewer = await startViewer(runs);
  }, 480_000);
  afterAll(() => viewer?.end());

  const get = <T>(route: string) => askJson<T>(viewer, `/api/${route}?group=tools&trial=${trial}`);

  test("is told by the conversation: every command with its call, and what came back", async () => {
    const { calls } = await get<CallsPart>("calls");
    const { commands, next } = await get<CommandsPart>("commands");
    expect(next).toBeNull();
    const asked = new Set(calls.filter((row) => row[11]).map(([seq]) => seq));
    expect(asked.size).toBeGreaterThan(2);
    expect(new Set(commands.map(({ call }) => call))).toEqual(asked);
    // The last one ends the trial: nobody answers it.
    for (const { result } of commands.slice(0, -1)) expect(result).not.toBeNull();
    expect(commands.some(({ result }) => result?.includes("METRIC"))).toBe(true);
  });

  test.skipIf(CHROMIUM === null)(
    "a submission leads to a call that had ended when it was found, and a command to its call",
    async () => {
      const browser: Browser = await chromium.launch({
        executablePath: CHROMIUM!,
        args: ["--no-sandbox"],
      });
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(60_000);
        await page.goto(`${viewer.url}#/trial/tools/${trial}?tab=submissions`);
        await page.locator("tbody tr").first().waitFor();
        const { calls } = await get<CallsPart>("calls");
        const { events } = await get<EventsPart>("events");
        const found = events.filter(({ type }) => type === "submission");
        const rows = await page.locator("tbody tr").allTextContents();
        expect(rows).toHaveLength(found.length);
        for (const [i, row] of rows.entries()) {
          const seq = Number(/call #(\d+)/.exec(row)?.[1]);
          const ended = (at: number) => Date.parse(calls[at][1]) + calls[at][5];
          const at = calls.findIndex((call) => call[0] === seq);
          expect(ended(at), row).toBeLessThanOrEqual(Date.parse(found[i].time));
          if (calls[at + 1]) expect(ended(at + 1), row).toBeGreaterThan(Date.parse(found[i].time));
        }
        await page
          .getByRole("button", { name: /^call #/ })
          .first()
          .click();
        await page.waitForURL(/tab=calls&call=\d+/);
        await page.getByRole("tab", { name: "Commands" }).click();
        await page.locator(".command").first().waitFor();
        await page.evaluate(axe.source);
        const violations = await page.evaluate(
          "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(violations).toEqual([]);
        await page.getByLabel("Search commands and their results").fill("METRIC");
        await page.waitForURL(/q=METRIC/);
        await page
          .locator(".command")
          .getByRole("button", { name: /^call #/ })
          .first()
          .click();
        await page.getByRole("heading", { name: /^Call #/ }).waitFor();
        await page.close();
      } finally {
        await browser.close();
      }
    },
  );
});
