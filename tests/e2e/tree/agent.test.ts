import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { treeSetting } from "./agent-setting.ts";

const AIDE = ["agent.steps=8", "agent.language=js", "exec.timeout=20"];

test("tree/aide improves on its first draft, keeps the best in place, and writes what AIDE writes", async () => {
  const setting = await treeSetting("simulated:steady");
  const { code, output } = await setting.run([...AIDE, "goal=whatever", "copy_data=False"]);
  expect([code, output]).toEqual([0, expect.stringContaining("ended: steps")]);
  expect(output).toContain("not needed here: goal, copy_data");
  const { head, steps, doubts } = await setting.journal();
  expect(doubts).toEqual([]);
  expect(head).toMatchObject({ direction: "minimize", measuredBy: "hold-out", metric: "rmse" });
  expect(head?.settings).toMatchObject({ "agent.steps": 8, "agent.search.num_drafts": 5 });
  const search = steps.filter(({ phase }) => phase === "search");
  expect(search).toHaveLength(8);
  const good = search.filter(({ buggy }) => !buggy);
  const best = search.findLast(({ isBest }) => isBest);
  expect(best?.metric?.value).toBe(Math.min(...good.map(({ metric }) => metric?.value ?? 99)));
  expect(best?.metric?.value).toBeLessThan(good[0].metric!.value);
  const improved = search.find(({ operator }) => operator === "improve");
  expect(improved?.diff).toMatch(/^@@ .*\n[\s\S]*^[-+]/m);
  expect(fs.readFileSync(path.join(setting.folder, "logs", improved!.codePath!), "utf8")).toBe(
    improved?.code,
  );
  const aide = JSON.parse(setting.text("logs/journal.json"));
  expect(aide).toMatchObject({ __version: "2" });
  expect(Object.keys(aide.node2parent)).toHaveLength(search.filter(({ parent }) => parent).length);
  expect(aide.nodes[0]).toMatchObject({
    step: 0,
    metric: { maximize: false },
    is_buggy: expect.any(Boolean),
  });
  expect(setting.text("code/best_solution.cjs")).toBe(best?.code);
  expect(setting.text("code/node_id.txt").trim()).toBe(best?.id);
  expect(setting.text("submission/submission.csv").trim().split("\n")).toHaveLength(61);
  expect(JSON.parse(setting.text("submission/metrics.json"))).toMatchObject({
    metric: "rmse",
    direction: "minimize",
    seed: 0,
  });
  expect(setting.text("submission/report.md")).toContain("The model was simulated");
  expect(output).toMatch(/^MLE_BENCH_LITE_RESULT=\{"seed":0,/m);
  // Called again it finds nothing left to do, and nothing changes.
  const before = setting.text("logs/journal.jsonl");
  expect((await setting.run([...AIDE, "goal=whatever", "copy_data=False"])).code).toBe(0);
  expect(setting.text("logs/journal.jsonl")).toBe(before);
  await setting.end();
}, 120_000);

test("compat=true believes the reviewer alone, and hides no rows", async () => {
  const setting = await treeSetting("simulated:steady");
  const { code } = await setting.run([
    "agent.steps=3",
    "agent.language=js",
    "compat=true",
    "exec.timeout=20",
  ]);
  expect(code).toBe(0);
  const { head, steps } = await setting.journal();
  expect(head?.measuredBy).toBe("reported");
  expect(steps.every(({ phase }) => phase === "search")).toBe(true);
  expect(steps.some(({ metric }) => metric?.source === "review")).toBe(true);
  await setting.end();
}, 60_000);

test("a wrong argument is named; without a model it says what to do", async () => {
  const setting = await treeSetting("simulated:steady");
  const wrong = await setting.run(["agent.stepz=3"]);
  expect(wrong).toEqual({ code: 2, output: expect.stringContaining("did you mean agent.steps?") });
  const odd = await setting.run(["agent.steps=many"]);
  expect(odd).toEqual({ code: 2, output: expect.stringContaining("agent.steps") });
  await setting.end();
}, 60_000);

test("a model that answers nonsense ends in faults, and the sample submission stays, whatever stood there before", async () => {
  const setting = await treeSetting("echo");
  for (const file of ["logs/journal.jsonl", "submission/submission.csv"])
    fs.mkdirSync(path.join(setting.folder, file, "not a file"), { recursive: true });
  const { code } = await setting.run(["agent.steps=3", "agent.language=js", "agent.review=fallback"]);
  expect(code).toBe(0);
  const { steps } = await setting.journal();
  expect(steps.every(({ buggy }) => buggy)).toBe(true);
  expect(setting.text("submission/submission.csv")).toBe(
    fs.readFileSync(path.join(setting.data, "sample_submission.csv"), "utf8"),
  );
  await setting.end();
}, 90_000);
