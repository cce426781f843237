import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../../src/trials/certificate/signing.ts";
import type { Verification } from "../../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../../src/trials/certificate/verify-group.ts";
import { verifyTrial } from "../../../src/trials/certificate/verify-trial.ts";
import { gradeGroup } from "../../../src/trials/group/grade.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "./kinds.ts";
import { plan, runPlanned, scene } from "./setting.ts";

const SCRIPT = `
echo "id,EAP,HPL,MWS" > "$SUBMISSION_DIR/submission.csv"
sleep 0.8
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
echo hello > "$LOGS_DIR/agent.log"
echo "print(1)" > "$CODE_DIR/train.py"
`;

let group: string;
let dataDir: string;
let keys: string;

beforeAll(async () => {
  const setting = scene(SCRIPT);
  dataDir = setting.dataDir;
  keys = path.join(setting.root, "keys");
  createKey(keys, "mine");
  createKey(keys, "other");
  group = await plan(setting, { sandbox: KIND, signingKey: path.join(keys, "mine.key") }, { seeds: 2 });
  const stop = new AbortController();
  // An earlier attempt belongs to the record, too.
  await runPlanned(group, {
    interrupted: stop.signal,
    onTrialStart: () => void setTimeout(() => stop.abort(), 300),
  });
  await runPlanned(group);
  const graded = await gradeGroup(group, {});
  expect(graded.status).toBe("graded");
});

function options(change: { data?: string; trustedKey?: string } = {}) {
  return {
    dataDir: change.data ?? dataDir,
    competitionsDir: undefined,
    trustedKey: change.trustedKey ?? null,
    known: new Map(),
  };
}

function brokenFiles(results: readonly Verification[]): (string | null)[] {
  return results.flatMap(({ findings }) =>
    findings.filter(({ standing }) => standing === "broken").map(({ file }) => file),
  );
}

test("a signed group with its data at hand is verified, grades included", async () => {
  const results = await verifyGroup(group, options());
  expect(brokenFiles(results)).toEqual([]);
  expect(results.map(({ verdict }) => verdict)).toEqual(["verified", "verified", "verified"]);
  const recomputed = results[1].findings
    .filter(({ standing }) => standing === "recomputed")
    .map(({ what }) => what);
  expect(recomputed).toContain("the grade: 1.10986");
  expect(recomputed).toContain("the grades of 2 versions on the way");
});

test("away from the data, what cannot be worked out again is attested, not recomputed", async () => {
  const [, trial] = await verifyGroup(group, options({ data: temporaryFolder() }));
  expect(trial.verdict).toBe("verified");
  expect(trial.findings).toContainEqual({
    standing: "attested",
    what: "the grade: 1.10986 (the answers are not at hand)",
    file: null,
  });
});

test("another key than the one that is trusted breaks it", async () => {
  const results = await verifyGroup(group, options({ trustedKey: "0".repeat(32) }));
  expect(results.every(({ verdict }) => verdict === "broken")).toBe(true);
});

test("a certificate away from its files says that they are not there", async () => {
  const lone = path.join(temporaryFolder(), "certificate.json");
  const [id] = trialIds();
  fs.copyFileSync(path.join(group, id, "certificate.json"), lone);
  const result = await verifyTrial(lone, options());
  expect(result.verdict).toBe("verified");
  expect(result.findings).toContainEqual({
    standing: "attested",
    what: "all files: they are not here",
    file: null,
  });
});

describe("one changed byte", () => {
  test("of any recorded file makes verify fail and name the file", { timeout: 300_000 }, async () => {
    const files = fs
      .readdirSync(group, { recursive: true, encoding: "utf8" })
      .filter((name) => fs.statSync(path.join(group, name)).isFile());
    expect(files.length).toBeGreaterThan(20);
    expect(files.some((name) => name.includes("attempts/1/"))).toBe(true);
    for (const name of files) {
      const file = path.join(group, name);
      const original = fs.readFileSync(file);
      if (original.length === 0) continue;
      const position = Math.floor((original.length * 2) / 3);
      const changed = Buffer.from(original);
      changed[position] ^= 1;
      fs.writeFileSync(file, changed);
      const named = brokenFiles(await verifyGroup(group, options({ data: "/nonexistent" })));
      fs.writeFileSync(file, original);
      const expected = trialIds().some((id) => name.startsWith(id))
        ? name.slice(name.indexOf("/") + 1)
        : name;
      expect(named, name).toContain(expected);
    }
  });

  test("a file that is gone is named as well", async () => {
    const [id] = trialIds();
    const file = path.join(group, id, "logs/agent.log");
    const content = fs.readFileSync(file);
    fs.rmSync(file);
    const named = brokenFiles(await verifyGroup(group, options()));
    fs.writeFileSync(file, content);
    expect(named).toEqual(["logs/agent.log"]);
  });
});

test("an unsigned record is never called verified", async () => {
  const folder = await plan(scene(SCRIPT), { sandbox: "process" });
  await runPlanned(folder);
  const results = await verifyGroup(folder, options());
  expect(results.map(({ verdict }) => verdict)).toEqual([
    "consistent, but unsigned",
    "consistent, but unsigned",
  ]);
  expect(results[1].findings.some(({ standing }) => standing === "attested")).toBe(false);
  expect(results[1].findings.map(({ what }) => what).join("\n")).toContain("NOT isolated from the host");
});

function trialIds(): string[] {
  return JSON.parse(fs.readFileSync(path.join(group, "group.json"), "utf8")).trials.map(
    ({ id }: { id: string }) => id,
  );
}
