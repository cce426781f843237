import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import type { CompetitionPage } from "../../../src/viewer/routes/competition.ts";
import type { RunsPage } from "../../../src/viewer/routes/runs.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { plantWithModel } from "./simulated.ts";
import { askJson, startViewer } from "./start.ts";

test("the runs and competition pages know whose models were not language models", async () => {
  const runs = path.join(temporaryFolder(), "runs");
  plantWithModel(runs, "with-simulated", false);
  plantWithModel(runs, "with-a-real-one", true);
  const viewer = await startViewer(runs);
  try {
    const ask = () => askJson<RunsPage>(viewer, "/api/runs");
    await expect.poll(async () => (await ask()).complete, { timeout: 45_000 }).toBe(true);
    const of = (lines: { agent: string; languageModels: boolean | null }[]) =>
      Object.fromEntries(lines.map(({ agent, languageModels }) => [agent, languageModels]));
    const expected = { "with-simulated": false, "with-a-real-one": true };
    expect(of((await ask()).groups)).toEqual(expected);
    const page = await askJson<CompetitionPage>(viewer, "/api/competition?id=leaf-classification");
    expect(of(page.trials)).toEqual(expected);
    expect(page.board?.chart).toMatch(/with-simulated, seed 0: 0.5, not a language model.{1,6}s result/);
    expect(page.board?.chart).toContain("with-a-real-one, seed 0: 0.5<");
  } finally {
    await viewer.end();
  }
});

test("exporting a folder without groups names the option that is wrong", () => {
  const empty = temporaryFolder();
  const { code, stderr } = mlebench(["view", "--runs-dir", empty, "--export", path.join(empty, "pages")]);
  expect(code).toBe(2);
  expect(stderr).toContain("NO_RUNS");
  expect(stderr).toContain("--runs-dir");
  expect(fs.existsSync(path.join(empty, "pages"))).toBe(false);
});

test("a secret with signs that scripts escape stays out of an export, also within JSON that an agent wrote", () => {
  const secret = 'k<e"y\\planted&0815';
  const runs = path.join(temporaryFolder(), "runs");
  const group = plantWithModel(runs, "careless", true);
  const log = [secret, JSON.stringify({ key: secret })].join("\n");
  fs.writeFileSync(
    path.join(runs, group, "leaf-classification_000000", "run.log"),
    `before\n${log}\nafter\n`,
  );
  const folder = path.join(temporaryFolder(), "pages");
  const args = ["view", "--runs-dir", runs, "--export", folder];
  expect(mlebench(args, { A_SECRET_KEY: secret })).toMatchObject({ code: 0 });
  const texts = fs
    .readdirSync(path.join(folder, "data"))
    .map((name) => fs.readFileSync(path.join(folder, "data", name), "utf8"));
  expect(texts.some((text) => text.includes("before"))).toBe(true);
  expect(texts.some((text) => text.includes('\\"key\\":\\"***\\"'))).toBe(true);
  for (const text of texts) expect(text).not.toContain("planted");
});

test("a port that is taken is said in a sentence, with the way out", async () => {
  const other = http.createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const args = ["view", "--runs-dir", temporaryFolder(), "--no-open", "--port", String(port)];
  const { code, stderr } = mlebench(args);
  other.close();
  expect(code).toBe(3);
  expect(stderr).toContain("PORT_IN_USE");
  expect(stderr).toContain("--port 0");
  expect(stderr).not.toContain("EADDRINUSE");
});
