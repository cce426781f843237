// full: drives a browser over every page, as it is served and as it is exported
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { everyPage, plantEveryKind } from "./all-pages.ts";
import { serveFolder } from "./serve-folder.ts";
import { type StartedViewer, startViewer } from "./start.ts";

const CHROMIUM = hasProgram("chromium", "the viewer in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;

// A busy machine of two cores takes many times as long as a quiet one; how quick pages are is measured by bench/viewer.
const PATIENCE_MS = 60_000;

type View = {
  place: "served" | "from disk" | "from a static server";
  width: number;
  theme: "light" | "dark";
};

describe.skipIf(CHROMIUM === null)("every page of the viewer", { timeout: 240_000 }, () => {
  const runs = path.join(temporaryFolder(), "runs");
  const folder = path.join(temporaryFolder(), "pages");
  let browser: Browser;
  let viewer: StartedViewer;
  let server: Awaited<ReturnType<typeof serveFolder>>;

  beforeAll(async () => {
    plantEveryKind(runs);
    viewer = await startViewer(runs);
    const written = mlebench(["view", "--runs-dir", runs, "--export", folder, "--transcripts"]);
    expect(written.code, written.stderr).toBe(0);
    server = await serveFolder(folder);
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await viewer?.end();
    await server?.end();
  });

  async function start({ place, width, theme }: View) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
    page.setDefaultTimeout(PATIENCE_MS);
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    const addresses: Record<View["place"], string> = {
      served: viewer.url,
      "from disk": pathToFileURL(path.join(folder, "index.html")).href,
      "from a static server": server.url,
    };
    await page.goto(addresses[place]);
    await page.waitForSelector("main h1");
    await page.evaluate(axe.source);
    return { page, messages };
  }

  async function turnTo(page: Page, hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    // A frame in which the page before is gone, then all that the new one asks for.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 60)))");
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    await page.waitForSelector("main h1");
  }

  const views: View[] = [
    { place: "served", width: 1440, theme: "light" },
    { place: "served", width: 390, theme: "dark" },
    { place: "from disk", width: 1440, theme: "dark" },
    { place: "from a static server", width: 390, theme: "light" },
  ];
  test.each(views)(
    "$place at $width px, $theme: no message, no alert, no sideways scrolling, no finding of axe",
    async (view) => {
      const { page, messages } = await start(view);
      const pictures = process.env.MLEBENCH_TEST_PICTURES;
      for (const [name, hash] of Object.entries(everyPage(runs))) {
        await turnTo(page, hash);
        expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBe(view.width);
        expect(await page.locator("[role=alert]").allTextContents(), name).toEqual([]);
        const violations = await page.evaluate(
          "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(violations, name).toEqual([]);
        expect(messages, name).toEqual([]);
        const file = `${name.replaceAll(/\W+/g, "-")}-${view.width}-${view.theme}.png`;
        if (pictures) await page.screenshot({ path: path.join(pictures, file), fullPage: true });
      }
      await page.close();
    },
  );

  test.each(["served", "from disk"] as const)(
    "%s: every chart can be copied as SVG, its data as CSV",
    async (place) => {
      const { page } = await start({ place, width: 1440, theme: "light" });
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text) } } })",
      );
      let charts = 0;
      for (const [name, hash] of Object.entries(everyPage(runs))) {
        await turnTo(page, hash);
        await page.evaluate("globalThis.copied = []");
        const drawn = await page.locator("main svg[role=img]").count();
        for (const kind of ["SVG", "CSV"])
          await page.evaluate(
            `for (const one of document.querySelectorAll("main .chart-tools button")) if (one.textContent === "${kind}") one.click()`,
          );
        await expect.poll(() => page.evaluate("copied.length"), { message: name }).toBe(2 * drawn);
        const copied = (await page.evaluate("copied")) as string[];
        for (const text of copied.slice(0, drawn)) expect(text, name).toMatch(/^<svg[^>]* xmlns=/);
        for (const text of copied.slice(drawn))
          expect(text, name).toMatch(/^[\w %()]+(,[^\r\n]*)+\r\n[^\r\n]+\r\n/);
        charts += drawn;
      }
      expect(charts).toBeGreaterThan(30);
      await page.close();
    },
  );

  test.each(["from disk", "from a static server"] as const)(
    "%s: search, keys and links lead as in the viewer",
    async (place) => {
      const { page, messages } = await start({ place, width: 1440, theme: "light" });
      await page.keyboard.press("/");
      await page.keyboard.type("killed");
      await page.waitForURL(/q=killed/);
      expect(await page.locator(".row").count()).toBe(1);
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.waitForURL(/#\/group\/killed-unsigned/);
      await page.locator(".square").first().click();
      await page.waitForSelector(".trial-head");
      await page.keyboard.press("j");
      await page.getByRole("link", { name: "Previous" }).waitFor();
      await page.keyboard.press("u");
      await page.waitForURL(/#\/group\//);
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      // Nothing of an export can be cancelled, and nothing in it waits for changes.
      expect(await page.getByRole("button", { name: "Cancel trial" }).count()).toBe(0);
      expect(await page.locator(".live-mark").textContent()).toBe("export");
      expect(messages).toEqual([]);
      await page.close();
    },
  );
});
