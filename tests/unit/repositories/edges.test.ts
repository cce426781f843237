import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { mapRepository } from "../../../src/repositories/map/repository-map.ts";
import { hasProgram } from "../../tools.ts";

it("every call of the fixture's package is also one by Python's own parser", async () => {
  if (!hasProgram("python3", "call edges against Python's own parser")) return;
  const root = path.resolve("tests/fixtures/repositories/tiny/src/forest");
  const map = await mapRepository(root);
  const name = (module: number, at: number) =>
    at === -1 ? "" : map.modules[module].outline.definitions[at].qualified;
  const edges = map.calls.map((edge) => [
    map.modules[edge.fromModule].path,
    name(edge.fromModule, edge.from),
    edge.line,
    map.modules[edge.toModule].path,
    name(edge.toModule, edge.to),
  ]);
  const check = (list: unknown[]) => {
    const input = JSON.stringify({ root, package: "forest", edges: list });
    return JSON.parse(
      spawnSync("python3", ["bench/repositories/check_edges.py"], { input, encoding: "utf8" }).stdout,
    );
  };
  expect(edges.length).toBeGreaterThan(10);
  expect(check(edges)).toEqual({ checked: edges.length, right: edges.length, wrong: [] });
  // The check can fail: an edge to a function of the same name elsewhere is wrong.
  expect(check([["model.py", "Forest.fit", 19, "base.py", "Learner.predict"]]).right).toBe(0);
});
