import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Familiarity } from "../../../src/workflows/integrity/familiarity.ts";
import { type SyntheticTrial, writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const IDS = [
  "leaf-classification",
  "spooky-author-identification",
  "random-acts-of-pizza",
  "spaceship-titanic",
];
/** How well the scripted server remembers each competition's text. */
const KNOWN = [0.9, 0.5, 0.25, 0.1];
const root = temporaryFolder();
const documents = path.join(root, "texts");
IDS.forEach((id, i) => {
  writeText(documents, `${id}.md`, `This is text number ${i} about one thing and another. `.repeat(20));
});

let canEcho = true;
const asked: { prompt: string; echo?: boolean }[] = [];

/** Tokens are words with the blank before them; each has the probability of its text. */
const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const { prompt, echo } = JSON.parse(body) as { prompt: string; echo?: boolean };
  asked.push({ prompt, ...(echo === undefined ? {} : { echo }) });
  if (echo && !canEcho) {
    response.writeHead(400).end(JSON.stringify({ error: { message: "echo is not supported" } }));
    return;
  }
  const text = Number(/number (\d)/.exec(prompt)?.[1] ?? 0);
  const tokens = prompt.match(/\s*\S+|\s+$/g) ?? [];
  const whole = fs.readFileSync(path.join(documents, `${IDS[text]}.md`), "utf8");
  const next = /^\s*\S+/.exec(whole.slice(prompt.length))?.[0] ?? "";
  const logprobs = echo
    ? {
        tokens,
        token_logprobs: tokens.map((_, i) => (i === 0 ? null : Math.log(KNOWN[text]))),
        top_logprobs: null,
      }
    : {
        tokens: [next],
        token_logprobs: [-1],
        top_logprobs: [{ [next]: Math.log(KNOWN[text]), " nothing-like-it": -5 }],
      };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ choices: [{ text: "", logprobs }] }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());
const model = `compatible:base@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

async function familiarity(...args: string[]): Promise<Familiarity> {
  const child = startMlebench([
    "familiarity",
    "--model",
    model,
    "-c",
    ...IDS,
    "--documents",
    documents,
    "--output-dir",
    path.join(root, "out"),
    "--json",
    ...args,
  ]);
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (piece) => {
    stdout += piece;
  });
  child.stderr?.on("data", (piece) => {
    stderr += piece;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Familiarity;
}

test("a server that echoes gives the known probabilities, and a correlation with results", {
  timeout: 60_000,
}, async () => {
  const trials: SyntheticTrial[] = IDS.map((competitionId) => ({ competitionId, seed: 0, medal: null }));
  const group = writeGroup(path.join(root, "runs/g"), trials);
  const report = path.join(group, "2026-01-31T12-00-00-UTC_grading_report.json");
  const content = JSON.parse(fs.readFileSync(report, "utf8"));
  content.competition_reports.forEach((one: Record<string, unknown>, i: number) => {
    one.normalised_score = [0.8, 0.6, 0.3, 0.2][i];
  });
  fs.writeFileSync(report, JSON.stringify(content));
  const result = await familiarity("--reports", group);
  result.competitions.forEach((one, i) => {
    expect(one.familiarity).toBeCloseTo(KNOWN[i], 10);
    expect(one.documents[0]).toMatchObject({
      method: "echo",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
  // numpy.corrcoef of these four pairs.
  expect(result.correlation?.pearson).toBeCloseTo(0.9821687465847623, 10);
  expect(fs.readFileSync(path.join(root, "out/familiarity.svg"), "utf8")).toMatch(
    /<circle[\s\S]*<circle[\s\S]*r = 0\.982|r = 0\.982[\s\S]*<circle/,
  );
});

test("a server without echo is asked for its most likely tokens", { timeout: 60_000 }, async () => {
  canEcho = false;
  asked.length = 0;
  const result = await familiarity("--positions", "12");
  result.competitions.forEach((one, i) => {
    expect(one.documents[0]).toMatchObject({ method: "top", positions: 12 });
    expect(one.familiarity).toBeCloseTo(KNOWN[i], 10);
  });
  expect(asked.filter(({ echo }) => !echo)).toHaveLength(12 * IDS.length);
  canEcho = true;
});

test("a chat model is asked for the name behind a disguised text, and for rows it cannot know", () => {
  const reply = (text: string) => ({ reply: { text } });
  const script = writeText(
    root,
    "names.yaml",
    JSON.stringify({
      replies: [
        { expect: { notContains: ["Spooky", "Lovecraft"] }, ...reply("Spooky Author Identification") },
        reply("unknown"),
      ],
    }),
  );
  const names = json(
    mlebench([
      "familiarity",
      "--model",
      `scripted:${script}`,
      "--check",
      "names",
      "-c",
      IDS[1],
      IDS[3],
      "--output-dir",
      path.join(root, "names"),
      "--json",
    ]),
  ) as Familiarity;
  expect(names.competitions.map(({ naming }) => naming?.named)).toEqual([true, false]);
  expect(names.languageModel).toBe(false);
  expect(names.notes.join()).toContain("not a language model's result");
  const data = path.join(root, "data");
  const rows = Array.from({ length: 30 }, (_, i) => `${i},x${i * 7}`);
  writeText(data, `${IDS[3]}/prepared/public/train.csv`, ["id,value", ...rows, ""].join("\n"));
  const answers = writeText(
    root,
    "rows.yaml",
    JSON.stringify({ replies: [{ ...reply(rows[12]), repeat: "forever" }] }),
  );
  const table = json(
    mlebench([
      "familiarity",
      "--model",
      `scripted:${answers}`,
      "--check",
      "rows",
      "-c",
      IDS[3],
      "--data-dir",
      data,
      "--positions",
      "8",
      "--output-dir",
      path.join(root, "rows"),
      "--json",
    ]),
  ) as Familiarity;
  expect(table.competitions[0].rows).toMatchObject({ asked: 8, chance: 1 / 30 });
  expect(table.competitions[0].rows!.exact).toBeLessThanOrEqual(3);
});
