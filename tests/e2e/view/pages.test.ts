// full: drives a browser over groups of every kind
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import { writeSyntheticJournal } from "../../fixtures/journals/synthetic-journal.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { HOSTILE, plantScenery } from "../report/scenery.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { plantWithModel } from "./simulated.ts";
import { type StartedViewer, startViewer } from "./start.ts";

const CHROMIUM = hasProgram("chromium", "the viewer in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;
const FIXTURES = path.resolve("tests/fixtures/groups/0.1");

// A busy machine of two cores takes many times as long as a quiet one; how quick pages are is measured by bench/viewer.
const PATIENCE_MS = 60_000;

describe.skipIf(CHROMIUM === null)("the viewer in a browser", { timeout: 240_000 }, () => {
  const runs = path.join(temporaryFolder(), "runs");
  const tree = "2026-01-31T12-00-00-UTC_run-group_tree-search";
  let browser: Browser;
  let viewer: StartedViewer;

  beforeAll(async () => {
    plantScenery(runs, { agents: ["tree-search", HOSTILE] });
    for (const name of ["baseline-signed", "killed-unsigned"])
      fs.cpSync(path.join(FIXTURES, name), path.join(runs, name), { recursive: true });
    writeSyntheticJournal(path.join(runs, tree, trialOf(tree), "logs/journal.jsonl"), 60);
    plantWithModel(runs, "with-simulated", false);
    viewer = await startViewer(runs);
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    await viewer?.end();
  });

  async function open(
    hash: string,
    { width = 1440, theme = "light" as "light" | "dark" } = {},
  ): Promise<{ page: Page; messages: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
    page.setDefaultTimeout(PATIENCE_MS);
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    await page.goto(`${viewer.url}${hash}`);
    await page.waitForSelector("main h1");
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    return { page, messages };
  }

  const trialOf = (group: string) =>
    fs
      .readdirSync(path.join(runs, group))
      .find((name) => fs.existsSync(path.join(runs, group, name, "trial.json")))!;
  test("every page that shows a medal says that it was won without isolation", async () => {
    const won = trialOf("baseline-signed");
    for (const hash of [
      "#/runs",
      "#/group/baseline-signed",
      `#/trial/baseline-signed/${won}`,
      `#/trial/baseline-signed/${won}?tab=record`,
      "#/competition/starter-batch-jobs",
      "#/standings",
    ]) {
      const { page } = await open(hash);
      await expect
        .poll(() => page.locator("main").textContent(), { timeout: PATIENCE_MS })
        .toMatch(/not isolated/i);
      await page.close();
    }
  });

  test("on a phone, too, an agent's result is marked beside its name", async () => {
    const { page } = await open("#/group/baseline-signed?tab=results", { width: 390 });
    await page
      .locator("article.card", { hasText: "baseline" })
      .getByText("NOT isolated", { exact: true })
      .waitFor();
    await page.close();
  });

  test("the record says which network a trial had, not which was asked for", async () => {
    const { page } = await open(`#/trial/baseline-signed/${trialOf("baseline-signed")}?tab=record`);
    await page.getByText("not restricted (asked for: none)").waitFor();
    await page.close();
  });

  test("a seventh tab opens although six others listen, since those that nobody sees let go", async () => {
    const context = await browser.newContext();
    // All pages of a browser without a screen call themselves visible.
    await context.addInitScript(
      "Object.defineProperty(document, 'hidden', { get: () => globalThis.outOfSight === true })",
    );
    const hide = (page: Page, hidden: boolean) =>
      page.evaluate(
        `globalThis.outOfSight = ${hidden}; document.dispatchEvent(new Event("visibilitychange"))`,
      );
    const tabs: Page[] = [];
    for (let i = 0; i < 8; i++) {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(viewer.url);
      await page.locator(".live-mark.on").waitFor();
      await hide(page, true);
      tabs.push(page);
    }
    // What happened meanwhile is there when it is looked at again.
    const late = path.join(runs, "while-hidden");
    fs.cpSync(path.join(FIXTURES, "sample-signed"), late, { recursive: true });
    await hide(tabs[0], false);
    await tabs[0].getByText("while-hidden").waitFor();
    fs.rmSync(late, { recursive: true });
    await context.close();
  });

  test("hostile names are shown, not obeyed", async () => {
    const { page, messages } = await open("#/runs");
    expect(await page.getByText(HOSTILE, { exact: true }).count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
    expect(messages).toEqual([]);
    await page.close();
  });

  test("what a simulated model won is marked on the pages that list it", async () => {
    for (const hash of ["#/runs", "#/competition/leaf-classification"]) {
      const { page } = await open(hash);
      const marked = page.locator("li.row, tr").filter({ hasText: "not a language model's result" });
      await marked.filter({ hasText: "with-simulated" }).waitFor();
      expect(await marked.count(), hash).toBe(1);
      await page.close();
    }
  });

  test("a search stays in the address, and / leads to it", async () => {
    const { page } = await open("#/runs");
    await page.keyboard.press("/");
    await page.keyboard.type("tree");
    await page.waitForURL(/q=tree/);
    await page.getByText("baseline-signed").waitFor({ state: "detached" });
    expect(page.url()).toContain("q=tree");
    await page.reload();
    await page.waitForSelector("main h1");
    expect(await page.locator(".row").count()).toBe(1);
    await page.close();
  });

  test("j, k and u go through trials, and ? tells so", async () => {
    const { page } = await open(`#/group/${tree}`);
    await page.locator(".square").first().click();
    await page.waitForSelector(".trial-head");
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForURL((url) => url.href !== first);
    await page.getByRole("link", { name: "Previous" }).waitFor();
    await page.keyboard.press("k");
    await page.waitForURL(first);
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])", { state: "attached" });
    await page.keyboard.press("u");
    await page.waitForURL(/#\/group\//);
    await page.close();
  });

  test("a line that is written shows by itself, and a group that appears is listed", async () => {
    const live = path.join(runs, "live");
    fs.cpSync(path.join(runs, "killed-unsigned"), live, { recursive: true });
    const trial = trialOf("live");
    const lock = {
      schema: "mlebench/group-lock",
      version: 1,
      host: "elsewhere",
      pid: 1,
      started: null,
      machine: "x",
    };
    fs.writeFileSync(path.join(live, "group.lock"), JSON.stringify(lock));
    fs.rmSync(path.join(live, trial, "certificate.json"), { force: true });
    const { page } = await open(`#/trial/live/${trial}`);
    await page.waitForSelector(".log");
    fs.appendFileSync(path.join(live, trial, "run.log"), "a line of this moment\n");
    await page.getByText("a line of this moment").waitFor();
    await page.evaluate('location.hash = "#/runs"');
    await page.waitForSelector(".row");
    fs.cpSync(path.join(FIXTURES, "sample-signed"), path.join(runs, "just-come"), { recursive: true });
    await page.getByText("just-come").waitFor();
    await page.close();
  });

  test("charts are copied as SVG with their colours, data as CSV", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${viewer.url}#/trial/${tree}/${trialOf(tree)}?tab=tree`);
    await page.getByRole("button", { name: "Copy Tree as SVG" }).click();
    await page.getByText("SVG copied").waitFor();
    const svg = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(svg).toMatch(/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toMatch(/fill="rgb/);
    await page.getByRole("button", { name: "Copy the data of Tree as CSV" }).click();
    await page.getByText("CSV copied").waitFor();
    const csv = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(csv.trim().split("\r\n")).toHaveLength(61);
    await context.close();
  });

  test("the export is small, keeps what it must to itself, and overwrites nothing", async () => {
    const small = path.join(temporaryFolder(), "runs");
    for (const name of ["baseline-signed", tree])
      fs.cpSync(path.join(runs, name), path.join(small, name), { recursive: true });
    const trial = trialOf("baseline-signed");
    fs.appendFileSync(path.join(small, "baseline-signed", trial, "run.log"), "key sk-planted-0815\n");
    const folder = path.join(temporaryFolder(), "pages");
    const written = mlebench(["view", "--runs-dir", small, "--export", folder, "--json"], {
      MY_API_KEY: "sk-planted-0815",
    });
    expect(written).toMatchObject({ code: 0 });
    expect((JSON.parse(written.stdout) as { bytes: number }).bytes).toBeLessThan(3_000_000);
    const all = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile());
    for (const { parentPath, name } of all)
      expect(fs.readFileSync(path.join(parentPath, name), "utf8"), name).not.toContain("sk-planted-0815");
    expect(mlebench(["view", "--runs-dir", small, "--export", folder]).code).toBe(2);
  });

  test("standings as a file are the same page: trust first, sorted by a click, readable on a phone", async () => {
    const file = path.join(temporaryFolder(), "standings.html");
    const group = path.join(runs, "baseline-signed");
    expect(mlebench(["standings", group, "--format", "html", "--output", file]).code).toBe(0);
    for (const width of [390, 1440]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(error.message));
      await page.goto(pathToFileURL(file).href);
      await page.locator("tr.own").waitFor();
      expect(await page.locator("th").first().textContent()).toContain("trust");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.getByRole("button", { name: "agent" }).click();
      expect(page.url()).toContain("l-by=agent");
      const names = await page.locator("tbody .standing-agent b").allTextContents();
      expect(names).toEqual(names.toSorted((x, y) => x.toLowerCase().localeCompare(y.toLowerCase())));
      expect(messages).toEqual([]);
      await page.close();
    }
  });

  test("a trial that is not there is said to be missing, and the way back stays open", async () => {
    const { page } = await open(`#/group/${tree}`);
    await page.evaluate(`location.hash = "#/trial/${tree}/nothing"`);
    await page.getByText("is not there").waitFor();
    expect(await page.getByRole("link", { name: "Runs" }).count()).toBeGreaterThan(0);
    await page.close();
  });
});
