import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { HOSTILE, plantScenery } from "./scenery.ts";

const CHROMIUM = hasProgram("chromium", "the report in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;

describe.skipIf(CHROMIUM === null)("the HTML report, opened from disk", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "report.html");
  let browser: Browser;

  beforeAll(async () => {
    const groups = plantScenery(path.join(folder, "runs"), { agents: [HOSTILE, "baseline", "dummy"] });
    const written = mlebench(["report", ...groups, "--title", HOSTILE, "-o", file]);
    expect(written).toMatchObject({ code: 0 });
    // Root may not use the browser's own sandbox.
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  async function open(width: number, theme: "light" | "dark"): Promise<{ page: Page; messages: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:") && !request.url().startsWith("data:"))
        messages.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, messages };
  }

  const views = ([375, 1440] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  test.each(views)(
    "at $width px, $theme: no message, no request, no sideways scrolling, no finding of axe",
    async ({ width, theme }) => {
      const { page, messages } = await open(width, theme);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.screenshot({ path: path.join(folder, `${width}-${theme}.png`) });
      await page.evaluate(axe.source);
      const violations = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
      );
      expect(violations).toEqual([]);
      expect(messages).toEqual([]);
      await page.close();
    },
  );

  test("the button changes the theme and the page remembers nothing it may not", async () => {
    const { page, messages } = await open(1440, "light");
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const before = await background();
    await page.getByRole("button", { name: "Switch to the dark theme" }).click();
    expect(await background()).not.toBe(before);
    await page.getByRole("button", { name: "Switch to the light theme" }).click();
    expect(await background()).toBe(before);
    expect(messages).toEqual([]);
    await page.close();
  });

  test("hostile names and log lines are shown, not obeyed", async () => {
    const { page } = await open(1440, "light");
    expect(await page.locator("h1").textContent()).toBe(HOSTILE);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
    await page.close();
  });

  test("every plot has a text alternative", async () => {
    const { page } = await open(1440, "light");
    const plots = await page
      .locator("svg")
      .evaluateAll((all) => all.map((svg) => svg.getAttribute("aria-label") ?? ""));
    expect(plots.length).toBeGreaterThan(25);
    expect(plots.filter((label) => label.length < 20)).toEqual([]);
    await page.close();
  });
});
