import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listGroups } from "../../../src/trials/group/folder.ts";
import { isTaken, placePlan } from "../../../src/trials/group/place-plan.ts";
import type { RunGroup } from "../../../src/trials/group/schema.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

const planCalled = (name: string) =>
  ({
    schema: "mlebench/run-group",
    version: 1,
    name,
    trials: [],
    settings: { agentId: "a" },
  }) as unknown as RunGroup;
const place = (runs: string, name: string, mayVary = false) => placePlan(runs, name, { planCalled, mayVary });

test("an empty folder is not a group: what a killed process left does not keep its name", () => {
  const runs = temporaryFolder();
  fs.mkdirSync(path.join(runs, "killed"));
  expect(isTaken(path.join(runs, "killed"))).toBe(false);
  expect(place(runs, "killed")?.folder).toBe(path.join(runs, "killed"));
  expect(fs.readdirSync(path.join(runs, "killed")).sort()).toEqual(["group.json", "metadata.json"]);
});

test("a folder with something in it, a file and a link to nowhere keep their names, and nothing is left beside them", () => {
  const runs = temporaryFolder();
  fs.mkdirSync(path.join(runs, "folder", "within"), { recursive: true });
  fs.writeFileSync(path.join(runs, "file"), "text");
  fs.symlinkSync("/nowhere/at/all", path.join(runs, "link"));
  for (const name of ["folder", "file", "link"]) expect(place(runs, name)).toBeNull();
  expect(fs.readdirSync(runs).sort()).toEqual(["file", "folder", "link"]);
  expect(fs.readFileSync(path.join(runs, "file"), "utf8")).toBe("text");
});

test("of two groups within a second the later gets a number, in its folder and in its plan", () => {
  const runs = temporaryFolder();
  const names = [1, 2, 3].map(() => place(runs, "now_run-group_agent", true)?.group.name);
  expect(names).toEqual(["now_run-group_agent", "now-2_run-group_agent", "now-3_run-group_agent"]);
  for (const name of names) expect(fs.existsSync(path.join(runs, name!, "group.json"))).toBe(true);
});

test("a draft is not listed; an old one is removed, one that may still be written is not", () => {
  const runs = temporaryFolder();
  place(runs, "first");
  for (const name of [".planning-old", ".planning-new"])
    fs.cpSync(path.join(runs, "first"), path.join(runs, name), { recursive: true });
  const hourAgo = new Date(Date.now() - 3_600_000);
  fs.utimesSync(path.join(runs, ".planning-old"), hourAgo, hourAgo);
  expect(listGroups(runs)).toEqual([path.join(runs, "first")]);
  place(runs, "second");
  expect(fs.readdirSync(runs).sort()).toEqual([".planning-new", "first", "second"]);
});
