// full: some forty commands, one after the other
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL } from "../../full.ts";
import { mlebench } from "../cli.ts";
import { writeText } from "../temporary-folder.ts";
import {
  COMMANDS,
  STRANGE,
  type StrangeKind,
  type StrangeScene,
  strangeScene,
  trialsOf,
  tryStrange,
} from "./strange-files.ts";

let scene: StrangeScene;
beforeAll(() => {
  scene = strangeScene();
});

describe("pipes and links in a group from elsewhere", () => {
  test("keep no command waiting, and show it nothing of the reader's (all: npm run soak -- strange-files)", () => {
    const commands = FULL ? Object.keys(COMMANDS) : ["verify", "status", "logs", "report"];
    const kinds: StrangeKind[] = FULL ? ["pipe", "link to the reader's file"] : ["pipe"];
    // Without them nothing else would be looked at.
    const files = scene.files.filter((name) => !/(group|trial)\.json$/.test(name));
    const problems = kinds.flatMap((kind) =>
      commands.flatMap((command) => tryStrange(scene, { kind, files, command })),
    );
    expect(problems).toEqual([]);
  }, 120_000);

  test.each(["starts.jsonl", "T/events.jsonl", "T/trial.json", "T/certificate.json", "report"])(
    "one in place of %s alone is named by verify",
    (name) => {
      const [trial] = trialsOf(scene.group);
      const file =
        name === "report"
          ? scene.files.find((one) => one.endsWith("_grading_report.json"))!
          : name.replace("T/", `${trial}/`);
      for (const kind of Object.keys(STRANGE).slice(0, FULL ? 4 : 1) as StrangeKind[])
        expect(tryStrange(scene, { kind, files: [file], command: "verify" })).toEqual([]);
    },
    60_000,
  );
});

/** As the harness leaves it when it is killed: `resume` closes the record, appends to it and sets it aside. */
function interrupted(): { group: string; trial: string; precious: string } {
  const root = fs.mkdtempSync(path.join(scene.root, "interrupted-"));
  const group = path.join(root, "runs", "sent");
  fs.cpSync(scene.group, group, { recursive: true });
  const trial = path.join(group, trialsOf(group)[0]);
  fs.rmSync(path.join(trial, "certificate.json"));
  const file = path.join(trial, "trial.json");
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, "utf8")), status: "running" }));
  return { group, trial, precious: writeText(root, "precious/thesis.txt", "years of work") };
}

describe("resume and grade of a group from elsewhere", () => {
  test.each([
    ["starts.jsonl", (place: string) => place],
    ["T/events.jsonl", (place: string) => place],
    ["T/run.log", (place: string) => place],
    ["metadata.json.1.tmp", (place: string) => place],
    ["earlier-reports", (place: string) => path.dirname(place)],
    ["T/attempts", (place: string) => path.dirname(place)],
    ["T/attempts/1", (place: string) => path.dirname(place)],
    ["T/attempts/1/trial.json.tmp", (place: string) => place],
    ["T/model/ledger.jsonl", (place: string) => place],
  ])("write nothing through a link called %s", (name, aim) => {
    const { group, trial, precious } = interrupted();
    const place = name.startsWith("T/") ? path.join(trial, name.slice(2)) : path.join(group, name);
    fs.rmSync(place, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.symlinkSync(aim(precious), place);
    const { dataDir, agents } = scene;
    for (const args of [
      ["resume", group, "--agents-dir", agents, "--data-dir", dataDir, "--sandbox", "process"],
      ["grade", group, "--data-dir", dataDir, "--no-sign"],
    ]) {
      const { code, stderr } = mlebench(args);
      expect(code).toBe(3);
      expect(stderr).toContain("LINK_IN_GROUP");
      expect(stderr).toContain(`${path.basename(name)} is a symbolic link`);
    }
    expect(fs.readFileSync(precious, "utf8")).toBe("years of work");
    expect(fs.readdirSync(path.dirname(precious))).toEqual(["thesis.txt"]);
  });

  test("what an agent made in its own folders keeps nobody from going on", () => {
    const { group, trial, precious } = interrupted();
    for (const folder of ["work/code", "logs"]) {
      fs.mkdirSync(path.join(trial, folder), { recursive: true });
      fs.symlinkSync(precious, path.join(trial, folder, "link"));
    }
    const places = ["--agents-dir", scene.agents, "--data-dir", scene.dataDir, "--sandbox", "process"];
    const { code, stderr, stdout } = mlebench(["resume", group, ...places]);
    expect(code, `${stderr}${stdout}`).toBe(0);
    expect(fs.readFileSync(precious, "utf8")).toBe("years of work");
  });
});
