// full: runs the reference rungs of a starter competition, in Python
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { resolveSplit } from "../../../src/competitions/splits.ts";
import { notTested } from "../../tools.ts";

const LIBRARIES = "import numpy, scipy, pandas, sklearn, xgboost, torch, PIL";
const PROGRAM = "src/starter/rungs/run.py";

function hasLibraries(): boolean {
  if (spawnSync("/usr/bin/python3", ["-c", LIBRARIES]).status === 0) return true;
  // What benchmarks are made with is half a gigabyte: no run of the tests has to have it.
  const command = "sudo sh scripts/install-bench-tools.sh";
  notTested({ what: "rungs made again", why: "Debian's torch is not here", command, ofThisPlace: true });
  return false;
}

describe.runIf(hasLibraries())("the reference rungs", () => {
  const split = resolveSplit("starter");
  it.each(split.ok ? split.ids : [])("of %s are those on its board, in this order", (id) => {
    const listed = spawnSync("/usr/bin/python3", [PROGRAM, "list", id], { encoding: "utf8" });
    const board = JSON.parse(
      fs.readFileSync(path.join("src/competitions", id, "leaderboard.json"), "utf8"),
    ) as { made: { rungs: { name: string; family: string }[] } };
    const standing = board.made.rungs.map(({ name, family }) => ({ name, family }));
    expect(JSON.parse(listed.stdout)).toEqual(standing);
  });

  it("come out with the same bytes when they are made again", { timeout: 600_000 }, () => {
    const options = ["--rungs", "--check", "--competition", "starter-births"];
    const made = spawnSync(process.execPath, ["scripts/field.mjs", ...options], { encoding: "utf8" });
    expect(made.stderr).toContain("regressions of several memories and trees (same bytes)");
    expect(made.stderr).toContain("as before");
    expect(made.status).toBe(0);
  });
});
