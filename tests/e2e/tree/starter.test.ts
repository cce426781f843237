// full: tree search on a starter competition whose answers are garbage
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { lasting, starterSetting } from "./starter-setting.ts";

const COMPETITION = "starter-batch-jobs";
const { root, data, prepare, run } = starterSetting([COMPETITION], {
  "tree/ten": { "agent.steps": 10, "exec.timeout": 60 },
});

beforeAll(prepare, 240_000);

test("private answers have no part in it: with garbage in their place, search and submission are the same", async () => {
  const spoilt = path.join(root, "spoilt");
  fs.cpSync(path.join(data, COMPETITION), path.join(spoilt, COMPETITION), { recursive: true });
  const answers = path.join(spoilt, COMPETITION, "prepared/private/test.csv");
  const [header, ...rows] = fs.readFileSync(answers, "utf8").trim().split("\n");
  // The ids stay, for the format is checked against them; every answer is another row's.
  const cells = rows.map((row) => row.split(","));
  const mixed = cells.map(([id], at) => [id, ...cells[(at * 7 + 3) % cells.length].slice(1)].join(","));
  fs.writeFileSync(answers, `${[header, ...mixed].join("\n")}\n`);
  const [[honest], [garbage]] = [
    await run("tree/ten", [COMPETITION]),
    await run("tree/ten", [COMPETITION], spoilt),
  ];
  // In a sandbox the folder of all data has its usual name, which a program may not hold: some must have got past that.
  expect(honest.steps.filter(({ buggy }) => !buggy).length).toBeGreaterThan(2);
  expect(lasting(garbage.steps)).toEqual(lasting(honest.steps));
  expect(garbage.submission).toBe(honest.submission);
}, 300_000);
