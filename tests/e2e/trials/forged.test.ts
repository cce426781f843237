// full: hundreds of verifications of forged groups
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { certificateText, seal } from "../../../src/trials/certificate/certificate.ts";
import { createKey, readSigningKey } from "../../../src/trials/certificate/signing.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { plan, runPlanned, scene } from "./setting.ts";

const SCRIPT = `
echo "id,EAP,HPL,MWS" > "$SUBMISSION_DIR/submission.csv"
sleep 0.7
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
`;

let original: string;
let dataDir: string;
let root: string;
const key = (name: string) => path.join(root, "keys", name);

beforeAll(async () => {
  const setting = scene(SCRIPT);
  ({ dataDir, root } = setting);
  createKey(path.join(root, "keys"), "alice");
  createKey(path.join(root, "keys"), "mallory");
  original = await plan(setting, { sandbox: "process", signingKey: key("alice.key") }, { seeds: 3 });
  await runPlanned(original);
  expect(mlebench(["grade", original]).code).toBe(0);
  expect(verify(original, "--key", key("alice.pub"), "--require-signature").code).toBe(0);
});

function copy(): string {
  const folder = path.join(temporaryFolder(), path.basename(original));
  fs.cpSync(original, folder, { recursive: true });
  return folder;
}

function verify(folder: string, ...options: string[]) {
  return mlebench(["verify", folder, "--data-dir", dataDir, ...options]);
}

const strictly = (folder: string) => verify(folder, "--key", key("alice.pub"), "--require-signature");

function ids(folder = original): string[] {
  const { trials } = JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8"));
  return trials.map(({ id }: { id: string }) => id);
}

// biome-ignore lint/suspicious/noExplicitAny: a forger has no types.
function change(file: string, edit: (value: any) => void): void {
  const value = JSON.parse(fs.readFileSync(file, "utf8"));
  edit(value);
  fs.writeFileSync(file, certificateText(value));
}

const certificateOf = (folder: string, i = 0) => path.join(folder, ids()[i], "certificate.json");

describe("a forger without the key", () => {
  test("cannot exchange the grade for one without a signature", () => {
    const folder = copy();
    change(certificateOf(folder), (certificate) => {
      const { content } = certificate.grade;
      certificate.grade = seal({ ...content, report: { ...content.report, gold_medal: true } }, null);
    });
    const trial = path.join(folder, ids()[0]);
    expect(strictly(trial).code).toBe(1);
    const plainly = verify(trial, "--data-dir", "/nonexistent");
    expect(plainly.stdout).toContain("consistent, but only in part signed by one key");
    expect(plainly.stdout).toContain("the grade is not signed, the record is signed by key");
    expect(plainly.stdout).not.toMatch(/^ {2}verified/m);
  });

  test("cannot sign the grade with a key of their own", () => {
    const folder = copy();
    change(certificateOf(folder), (certificate) => {
      certificate.grade = seal(certificate.grade.content, readSigningKey(key("mallory.key")));
    });
    const trial = path.join(folder, ids()[0]);
    expect(strictly(trial).code).toBe(1);
    expect(verify(trial, "--require-signature").code).toBe(1);
    expect(verify(trial).stdout).toContain("nobody vouches for both");
  });

  test("cannot exchange a submission by removing the files that speak against it", () => {
    const folder = copy();
    const trial = path.join(folder, ids()[0]);
    fs.rmSync(path.join(trial, "trial.json"));
    fs.rmSync(path.join(trial, "events.jsonl"));
    fs.appendFileSync(path.join(trial, "submission/submission.csv"), "\n");
    change(certificateOf(folder), (certificate) => {
      certificate.grade = seal(certificate.grade.content, null);
    });
    const result = strictly(trial);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain("submission/submission.csv: it is not what was recorded");
    expect(result.stdout).not.toMatch(/recomputed +the grade:/);
  });

  test("cannot add a file to a trial", () => {
    const folder = copy();
    fs.writeFileSync(path.join(folder, ids()[0], "logs", "proof.txt"), "I was here");
    const result = strictly(folder);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain("logs/proof.txt: it is not in the record");
  });
});

describe("the key's owner, with an unmodified harness and an editor,", () => {
  const grade = (folder: string) =>
    mlebench(["grade", folder, "--data-dir", dataDir, "--sign", key("alice.key")]);

  test("cannot drop a trial from the plan before grading", () => {
    const folder = copy();
    change(path.join(folder, "group.json"), (group) => group.trials.pop());
    const graded = grade(folder);
    expect(graded.code).toBe(3);
    expect(graded.stderr).toContain("PLAN_CONTRADICTED");
    const verified = strictly(folder);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("another plan");
  });

  test("cannot count one trial three times", () => {
    const folder = copy();
    const [first, second, third] = ids();
    for (const other of [second, third]) {
      fs.rmSync(path.join(folder, other), { recursive: true });
      fs.cpSync(path.join(folder, first), path.join(folder, other), { recursive: true });
    }
    expect(grade(folder).code).toBe(3);
    const verified = strictly(folder);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain(`${second}/certificate.json: it is the record of ${first}`);
  });

  test("cannot delete a trial and run it again", async () => {
    const setting = scene(SCRIPT);
    const folder = await plan(setting, { sandbox: "process", signingKey: key("alice.key") }, { seeds: 2 });
    await runPlanned(folder);
    fs.rmSync(path.join(folder, ids(folder)[0]), { recursive: true });
    expect(mlebench(["resume", folder]).code).toBe(0);
    const verified = strictly(folder);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain(`attempt 1 of ${ids(folder)[0]} was started twice`);
  });

  test("cannot have a record signed that was changed after the trial", async () => {
    const setting = scene(SCRIPT);
    const folder = await plan(setting, { sandbox: "process", signingKey: key("alice.key") });
    await runPlanned(folder);
    const trial = path.join(folder, ids(folder)[0]);
    fs.rmSync(path.join(trial, "certificate.json"));
    change(path.join(trial, "trial.json"), (record) => {
      record.competition.data.answers = "0".repeat(64);
    });
    expect(mlebench(["resume", folder]).code).toBe(0);
    // It is set aside and run again, as an attempt of its own.
    const { record } = JSON.parse(fs.readFileSync(path.join(trial, "certificate.json"), "utf8"));
    expect(record.content.attempt).toBe(2);
    expect(record.content.competition.data.answers).not.toBe("0".repeat(64));
    expect(strictly(folder).code).toBe(0);
  });

  test("cannot have remembered digests signed in place of the data's", async () => {
    const setting = scene(SCRIPT);
    const folder = await plan(setting, { sandbox: "process", signingKey: key("alice.key") });
    const memory = fs
      .readdirSync(setting.dataDir, { recursive: true, encoding: "utf8" })
      .find((name) => name.endsWith("digest-v1.json"))!;
    const file = path.join(setting.dataDir, memory);
    change(file, ({ digest }) => {
      digest.answers = "0".repeat(64);
    });
    await runPlanned(folder);
    const { record } = JSON.parse(
      fs.readFileSync(path.join(folder, ids(folder)[0], "certificate.json"), "utf8"),
    );
    expect(record.content.competition.data.answers).not.toBe("0".repeat(64));
  });

  test.each(["percentile", "rank", "gold_threshold", "median_threshold", "normalised_score"])(
    "cannot claim another %s where the data are at hand",
    (field) => {
      const folder = copy();
      change(certificateOf(folder), (certificate) => {
        const { content } = certificate.grade;
        const report = { ...content.report, [field]: 1 };
        certificate.grade = seal({ ...content, report }, readSigningKey(key("alice.key")));
      });
      const verified = strictly(path.join(folder, ids()[0]));
      expect(verified.code).toBe(1);
      expect(verified.stdout).toContain(`${field}: graded again it is otherwise`);
    },
  );

  test("cannot claim another best version", () => {
    const folder = copy();
    change(certificateOf(folder), (certificate) => {
      const { content } = certificate.grade;
      certificate.grade = seal({ ...content, best: null }, readSigningKey(key("alice.key")));
    });
    expect(strictly(path.join(folder, ids()[0])).stdout).toContain(
      "the best version on the way: graded again",
    );
  });
});

test("verify says what a signature covers, and what nobody can exclude", () => {
  const { stdout } = strictly(original);
  expect(stdout).toMatch(/signed +the record: the trial's id, .*size and hash of every file/);
  expect(stdout).toMatch(/signed +the grade: .*the key of that record/);
  expect(stdout).toMatch(/signed +the group: its name, the digest of its plan/);
  expect(stdout).toContain("No signature can exclude that");
});
