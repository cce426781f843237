import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../../src/sandbox/find-program.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, writeData } from "./rules/data.ts";
import { VIOLATIONS } from "./rules/planted.ts";
import { plantGroup } from "./rules/trial.ts";

const CHROMIUM = hasProgram("chromium", "pages in a browser", "sudo bash scripts/install-browser.sh")
  ? findProgram("chromium")
  : null;
const HOSTILE = '</pre><img src=x onerror="alert(1)"><script>alert(2)</script>';

/** Long enough to be compared, with a line that no page is wide enough for. */
const COPIED = [
  "import numpy as np",
  ...Array.from(
    { length: 25 },
    (_, i) =>
      `def step_${i}(rows, weight=${i}):\n    total = [value * weight + ${i} for value in rows if value > ${i}]\n    return sum(total) / max(len(total), 1)`,
  ),
  `LONG = "${"word ".repeat(80)}"  # ${HOSTILE}`,
  `print("${HOSTILE.replaceAll('"', "'")}")`,
  "",
].join("\n");

describe.skipIf(CHROMIUM === null)("the pages of integrity and of similar code", () => {
  const root = temporaryFolder();
  const group = path.join(root, "runs/g");
  let browser: Browser;

  beforeAll(async () => {
    const data = writeData(path.join(root, "data"));
    const ids = plantGroup(group, [
      ...VIOLATIONS.slice(0, 12),
      { kind: null, code: { "main.py": COPIED } },
      { kind: null, code: { "other.py": COPIED.replaceAll("rows", "values") } },
    ]);
    writeText(root, `kernels/${COMPETITION}/winner_first.py`, COPIED);
    const runs = ["--runs-dir", path.join(root, "runs")];
    mlebench(["integrity", "decide", ids[0], "--disqualify", "--why", HOSTILE, ...runs]);
    const checked = ["integrity", "g", "--data-dir", data, "--kernels", path.join(root, "kernels")];
    const ran = mlebench([...checked, "--cutoff", "2023-01-01", ...runs]);
    expect(ran.code, ran.stderr).toBe(1);
    // Root may not use the browser's own sandbox.
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ["--no-sandbox"] });
  }, 120_000);
  afterAll(() => browser?.close());

  const views = (["integrity.html", "plagiarism/plagiarism.html"] as const).flatMap((file) =>
    ([375, 1440] as const).flatMap((width) =>
      (["light", "dark"] as const).map((theme) => ({ file, width, theme })),
    ),
  );

  test.each(views)(
    "$file at $width px, $theme: readable, nothing obeyed, no sideways scrolling, no finding of axe",
    { timeout: 240_000 },
    async ({ file, width, theme }) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(error.message));
      page.on("dialog", (dialog) => {
        messages.push(dialog.message());
        void dialog.dismiss();
      });
      await page.goto(pathToFileURL(path.join(group, "integrity", file)).href);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      const folder = process.env.MLEBENCH_TEST_PICTURES;
      if (folder)
        await page.screenshot({ path: path.join(folder, `${path.basename(file)}-${width}-${theme}.png`) });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.locator("img").count()).toBe(0);
      await page.evaluate(axe.source);
      const violations = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
      );
      expect(violations).toEqual([]);
      expect(messages).toEqual([]);
      await page.close();
    },
  );

  test("the pages say what was found, decided and copied", () => {
    const read = (file: string) => fs.readFileSync(path.join(group, "integrity", file), "utf8");
    expect(read("integrity.html")).toContain("network-attempt");
    expect(read("plagiarism/plagiarism.html")).toContain("winner_first.py");
  });
});
