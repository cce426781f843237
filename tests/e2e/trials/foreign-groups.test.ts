// full: every command on groups of others
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createKey } from "../../../src/trials/certificate/signing.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, plan, runPlanned, scene } from "./setting.ts";

const SCRIPT = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

/** The installation of somebody else: it remembers none of our groups. */
function stranger(): Record<string, string> {
  return { XDG_STATE_HOME: path.join(temporaryFolder(), "state") };
}

/** Competitions whose loading leaves a trace. */
function trap(root: string): { folder: string; sprung: string } {
  const sprung = path.join(root, "sprung");
  const folder = path.join(root, "their-competitions");
  for (const id of [COMPETITION, "their-own"])
    writeText(
      folder,
      `${id}/competition.mjs`,
      `import fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(sprung)}, "code of a stranger ran");\nexport const competition = {};\n`,
    );
  return { folder, sprung };
}

function changeGroup(folder: string, change: (group: Record<string, never>) => void): void {
  const file = path.join(folder, "group.json");
  const group = JSON.parse(fs.readFileSync(file, "utf8"));
  change(group);
  fs.writeFileSync(file, `${JSON.stringify(group, null, 2)}\n`);
}

async function unfinished() {
  const setting = scene(SCRIPT);
  const folder = await plan(setting, { sandbox: "process" });
  return { ...setting, folder };
}

describe("a group that somebody else made", () => {
  test("names no code that grading would load, and the option to give is named", async () => {
    const setting = scene(SCRIPT);
    const folder = await plan(setting, { sandbox: "process" });
    await runPlanned(folder);
    const { folder: theirs, sprung } = trap(setting.root);
    changeGroup(folder, ({ settings }) => Object.assign(settings, { competitionsDir: theirs }));
    const refused = mlebench(["grade", folder]);
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toContain("FOREIGN_GROUP");
    expect(refused.stderr).toContain("--competitions <folder>");
    expect(fs.existsSync(sprung)).toBe(false);
  });

  test("names no key to sign with", async () => {
    const setting = scene(SCRIPT);
    const folder = await plan(setting, { sandbox: "process" });
    await runPlanned(folder);
    const { key } = createKey(path.join(setting.root, "keys"), "mine") as { key: string };
    changeGroup(folder, ({ settings }) => Object.assign(settings, { signingKey: key }));
    const refused = mlebench(["grade", folder, "--data-dir", setting.dataDir]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("--sign <key> (or --no-sign)");
    const graded = mlebench(["grade", folder, "--data-dir", setting.dataDir, "--no-sign"]);
    expect(graded.code).toBe(0);
    const { grade } = JSON.parse(
      fs.readFileSync(path.join(folder, trialOf(folder), "certificate.json"), "utf8"),
    );
    expect(grade.signature).toBeNull();
  });

  test("is resumed only with folders and a sandbox that were given", async () => {
    const { folder, agentsDir, dataDir } = await unfinished();
    const env = stranger();
    const refused = mlebench(["resume", folder], env);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("--agents-dir <folder> --sandbox <kind>");
    const resumed = mlebench(
      ["resume", folder, "--agents-dir", agentsDir, "--data-dir", dataDir, "--sandbox", "process"],
      env,
    );
    expect(resumed.stderr + resumed.stdout).toContain("1 of 1 trials finished");
  });

  test("does not choose to run without isolation", async () => {
    const { folder } = await unfinished();
    changeGroup(folder, ({ settings }) => Object.assign(settings, { agentId: "sample" }));
    const refused = mlebench(["resume", folder], stranger());
    expect(refused.stderr).toContain("say it yourself: --sandbox <kind>");
  });

  test("does not say what resume removes", async () => {
    const { folder, agentsDir, dataDir, root } = await unfinished();
    await runPlanned(folder);
    const precious = path.join(root, "precious");
    writeText(precious, "thesis.txt", "years of work");
    const trial = path.join(folder, trialOf(folder));
    fs.rmSync(path.join(trial, "certificate.json"));
    const file = path.join(trial, "trial.json");
    const record = JSON.parse(fs.readFileSync(file, "utf8"));
    record.status = "running";
    record.sandbox.runtimeFolder = precious;
    fs.writeFileSync(file, JSON.stringify(record));
    const places = ["--agents-dir", agentsDir, "--data-dir", dataDir, "--sandbox", "process"];
    expect(mlebench(["resume", folder, ...places], stranger()).code).toBe(0);
    expect(fs.readFileSync(path.join(precious, "thesis.txt"), "utf8")).toBe("years of work");

    // Nor by an identity of its own making.
    record.sandbox.identity = `../../${path.relative("/", precious)}`;
    fs.rmSync(path.join(trial, "certificate.json"));
    fs.writeFileSync(file, JSON.stringify(record));
    mlebench(["resume", folder, ...places], stranger());
    expect(fs.existsSync(path.join(precious, "thesis.txt"))).toBe(true);
  });

  test.each(["../../elsewhere", "..", "a/b", ".hidden", ""])("has no trial called %j", async (id) => {
    const { folder } = await unfinished();
    changeGroup(folder, (group) => {
      (group.trials as { id: string }[])[0].id = id;
    });
    for (const command of ["resume", "grade"]) {
      const { code, stderr } = mlebench([command, folder]);
      expect(code, stderr).toBeGreaterThan(1);
      expect(stderr).not.toContain("    at ");
    }
  });

  test("cannot lead out of its folder by a link", async () => {
    const { folder, root } = await unfinished();
    writeText(root, "precious/thesis.txt", "years of work");
    fs.symlinkSync(path.join(root, "precious"), path.join(folder, trialOf(folder)));
    const refused = mlebench(["resume", folder]);
    expect(refused.stderr).toContain("LINK_IN_GROUP");
    expect(fs.readdirSync(path.join(root, "precious"))).toEqual(["thesis.txt"]);
  });
});

test("records nested deeper than a program can follow are broken, and nobody's bug", async () => {
  const setting = scene(SCRIPT);
  const original = await plan(setting, { sandbox: "process" });
  await runPlanned(original);
  const deep = `{"nobodyKnows":${"[".repeat(20_000)}${"]".repeat(20_000)},`;
  for (const name of ["group.json", "starts.jsonl", "T/trial.json", "T/events.jsonl", "T/certificate.json"]) {
    const folder = path.join(temporaryFolder(), path.basename(original));
    fs.cpSync(original, folder, { recursive: true });
    const file = path.join(folder, name.replace("T/", `${trialOf(original)}/`));
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("{", deep));
    const { code, stdout, stderr } = mlebench(["verify", folder]);
    expect(code, `${name}: ${stderr}`).toBe(1);
    expect(stdout).toContain("broken");
  }
});

test("a group of one's own may be moved, and is still one's own", async () => {
  const { folder, root } = await unfinished();
  const moved = path.join(root, "elsewhere", path.basename(folder));
  fs.mkdirSync(path.dirname(moved));
  fs.renameSync(folder, moved);
  expect(mlebench(["resume", moved]).stdout).toContain("1 of 1 trials finished");
});

function trialOf(folder: string): string {
  return JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8")).trials[0].id;
}
