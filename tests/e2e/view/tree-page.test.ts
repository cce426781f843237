// full: drives a browser over search trees
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import { syntheticJournal, writeSyntheticJournal } from "../../fixtures/journals/synthetic-journal.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { plantScenery } from "../report/scenery.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const CHROMIUM = hasProgram("chromium", "search trees in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;
const SIZES = [5, 60, 500];
const SECRET = "sk-not-to-be-shown-4711";

describe.skipIf(CHROMIUM === null)("search trees, opened from disk", { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  const report = path.join(folder, "report.html");
  const treeFile = (steps: number) => path.join(folder, `tree-${steps}.html`);
  let browser: Browser;

  beforeAll(async () => {
    const [group] = plantScenery(path.join(folder, "runs"), { agents: ["tree-search"] });
    const trials = fs
      .readdirSync(group)
      .filter((name) => fs.existsSync(path.join(group, name, "trial.json")))
      .map((name) => path.join(group, name));
    for (const [i, steps] of SIZES.entries()) {
      const journal = path.join(trials[i], "logs/journal.jsonl");
      writeSyntheticJournal(journal, steps);
      // What a page must not show, and lines that are not steps.
      const text = fs.readFileSync(journal, "utf8").replace("Plan 0:", `Plan 0: ${SECRET} </script>`);
      fs.writeFileSync(journal, `${text}{"half a li`);
      const written = mlebench(["view", "--tree", trials[i], "-o", treeFile(steps)], {
        SOME_API_KEY: SECRET,
      });
      expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`${steps} steps`) });
    }
    fs.mkdirSync(path.join(trials[3], "logs"), { recursive: true });
    fs.writeFileSync(path.join(trials[3], "logs/journal.jsonl"), "not a journal\n\u0000\n");
    expect(mlebench(["view", "--tree", trials[3], "-o", treeFile(0)])).toMatchObject({ code: 2 });
    expect(fs.existsSync(treeFile(0))).toBe(false);
    expect(mlebench(["report", group, "-o", report])).toMatchObject({ code: 0 });
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  }, 240_000);
  afterAll(() => browser?.close());

  async function open(
    file: string,
    view: { width: number; theme: "light" | "dark" },
  ): Promise<{ page: Page; messages: string[] }> {
    const page = await browser.newPage({
      viewport: { width: view.width, height: 900 },
      colorScheme: view.theme,
    });
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) messages.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("main svg.tree", { state: "attached" });
    return { page, messages };
  }

  async function expectSound(page: Page, width: number, name: string): Promise<void> {
    expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(width);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await page.evaluate(axe.source);
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
    );
    expect(violations, name).toEqual([]);
  }

  const views = ([390, 1440] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );
  test.each(views)("trees at $width px, $theme: no message, no request, no finding of axe", async (view) => {
    for (const steps of SIZES) {
      const { page, messages } = await open(treeFile(steps), view);
      expect(await page.locator("svg.tree .node").count()).toBe(steps);
      expect(await page.locator("svg.tree .edge.best").count()).toBe(edgesToBest(steps));
      await expectSound(page, view.width, `tree-${steps}-${view.width}-${view.theme}`);
      expect(messages).toEqual([]);
      await page.close();
    }
  });

  test("a node shows its code, its changes and stays in the address; progress is over time and cost", async () => {
    const { steps } = syntheticJournal(60);
    const child = steps.find(({ parent, code }) => parent !== null && code !== null)!;
    const { page, messages } = await open(treeFile(60), { width: 1440, theme: "light" });
    await page
      .locator("svg.tree .node")
      .filter({ hasText: new RegExp(`#${child.step} \\w`) })
      .first()
      .locator("circle")
      .click();
    await page.getByRole("heading", { name: `Step #${child.step}` }).waitFor();
    expect(await page.locator("pre.code").textContent()).toContain(`print("<b>&amp;${child.step}</b>")`);
    await page.getByRole("button", { name: "Changes to its parent" }).click();
    expect(await page.locator(".diff-added").first().textContent()).toContain(`# step ${child.step}`);
    await page.reload();
    await page.getByRole("heading", { name: `Step #${child.step}` }).waitFor();
    expect(await page.getByText("log-loss over time").count()).toBeGreaterThan(0);
    expect(await page.getByText("log-loss over cost").count()).toBeGreaterThan(0);
    expect(await page.getByText("passed over").count()).toBe(1);
    expect(messages).toEqual([]);
    await page.close();
  });

  test("a step that joins others leads to them", async () => {
    const { steps } = syntheticJournal(60);
    const joint = steps.find(({ sources }) => sources.length > 0)!;
    const source = steps.find(({ id }) => id === joint.sources[0])!;
    const { page } = await open(treeFile(60), { width: 1440, theme: "light" });
    await page.locator(".step-choice select").selectOption(joint.id);
    await page.getByRole("heading", { name: `Step #${joint.step}` }).waitFor();
    await page
      .locator("article")
      .getByRole("button", { name: `#${source.step}`, exact: true })
      .click();
    await page.getByRole("heading", { name: `Step #${source.step}` }).waitFor();
    await page.close();
  });

  test("a secret of this machine is not in the page", () => {
    const text = fs.readFileSync(treeFile(5), "utf8");
    expect(text).not.toContain(SECRET);
    expect(text).toContain("Plan 0:");
  });

  test.each([views[1], views[2]])("the report's trees and figures at $width px, $theme", async (view) => {
    const { page, messages } = await open(report, view);
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    const section = page.locator("section[aria-labelledby=searches]");
    expect(await section.locator("svg.tree").count()).toBe(SIZES.length);
    expect(await section.locator("svg.tree .node").count()).toBe(565);
    expect(await section.locator(".edge.best").count()).toBe(
      SIZES.reduce((sum, steps) => sum + edgesToBest(steps), 0),
    );
    const operators = await section.getByRole("region", { name: "Operators of" }).textContent();
    for (const name of ["draft", "improve", "debug", "improvements", "model time", "cost"])
      expect(operators).toContain(name);
    expect(await section.getByText("longest without").count()).toBe(1);
    await section.scrollIntoViewIfNeeded();
    await page.evaluate("document.getElementById('searches').scrollIntoView()");
    await expectSound(page, view.width, `report-${view.width}-${view.theme}`);
    expect(messages).toEqual([]);
    await page.close();
  });
});

/** How many lines lead from a first draft to the best step. */
function edgesToBest(size: number): number {
  const { steps } = syntheticJournal(size);
  let edges = -1;
  for (
    let at = steps.findLast(({ isBest }) => isBest);
    at !== undefined;
    at = steps.find(({ id }) => id === at?.parent)
  )
    edges++;
  return edges;
}
