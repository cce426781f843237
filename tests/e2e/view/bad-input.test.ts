import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EventsPart } from "../../../src/viewer/routes/events.ts";
import type { LogPart } from "../../../src/viewer/routes/log.ts";
import type { RunsPage } from "../../../src/viewer/routes/runs.ts";
import type { TrialPage } from "../../../src/viewer/routes/trial.ts";
import { plantGroup } from "../report/planted-group.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ask, askJson, type StartedViewer, startViewer } from "./start.ts";

const runs = path.join(temporaryFolder(), "runs");
const ids = ["spaceship-titanic", "leaf-classification", "random-acts-of-pizza"];
const folder = plantGroup(
  runs,
  "agent",
  ids.map((competitionId) => ({ competitionId, seed: 0 })),
);
const group = path.basename(folder);
const trial = (i: number) => `${ids[i]}_${String(i).padStart(6, "0")}`;
const inTrial = (i: number, name: string) => path.join(folder, trial(i), name);
let viewer: StartedViewer;

beforeAll(async () => {
  viewer = await startViewer(runs);
});
afterAll(() => viewer.end());

const log = (i: number, more = "") =>
  askJson<LogPart>(viewer, `/api/log?group=${group}&trial=${trial(i)}&name=run.log${more}`);
const trialPage = (i: number) => askJson<TrialPage>(viewer, `/api/trial?group=${group}&trial=${trial(i)}`);

describe("what an agent or a crash may leave behind", () => {
  test("terminal escapes, HTML and invalid UTF-8 in a log come out as plain text", async () => {
    const bytes = Buffer.concat([
      Buffer.from(
        "\u001b[31mred\u001b[0m <script>x</script> \u001b]0;title\u0007\u202e\n10 %\r50 %\r100 %\n",
      ),
      Buffer.from([0xff, 0xfe, 0x0a]),
    ]);
    fs.writeFileSync(inTrial(0, "run.log"), bytes);
    const { text } = await log(0);
    expect(text).toBe("red <script>x</script> \\u202e\n100 %\n\ufffd\ufffd\n");
  });

  test("a line of 100 MB is cut, and never held whole", async () => {
    const handle = fs.openSync(inTrial(1, "run.log"), "w");
    fs.writeSync(handle, "first\n");
    const piece = Buffer.alloc(2 ** 20, "x");
    for (let i = 0; i < 100; i++) fs.writeSync(handle, piece);
    fs.writeSync(handle, "\nlast\n");
    fs.closeSync(handle);
    const part = await log(1);
    expect(part.text.endsWith("last\n")).toBe(true);
    expect(part.text.length).toBeLessThan(200_000);
    const early = await log(1, "&from=0");
    expect(early.text).toMatch(/^first\nx{2000} … [\d,]+ more characters$/);
  });

  test("a record of a later version is named as such, and its group stays readable", async () => {
    const file = inTrial(2, "trial.json");
    const record = JSON.parse(fs.readFileSync(file, "utf8"));
    fs.writeFileSync(file, JSON.stringify({ ...record, version: 9, mlebenchVersion: "9.9.9" }));
    const page = await trialPage(2);
    expect(page.trial).toBeNull();
    expect(page.problem).toContain("mlebench 9.9.9 wrote it");
  });

  test("a trial killed between two writes shows what was whole", async () => {
    const whole = {
      seq: 0,
      time: "2026-01-31T12:00:00.000Z",
      type: "started",
      data: {},
      previous: "",
      hash: "",
    };
    writeText(
      path.join(folder, trial(0)),
      "events.jsonl",
      `${JSON.stringify(whole)}\nnot JSON\n{"seq":1,"ti`,
    );
    fs.writeFileSync(inTrial(0, "trial.json"), '{"schema":"mlebench/trial"');
    const part = await askJson<EventsPart>(viewer, `/api/events?group=${group}&trial=${trial(0)}`);
    expect(part.events.map(({ type }) => type)).toEqual(["started"]);
    fs.appendFileSync(
      inTrial(0, "events.jsonl"),
      `me":"2026-01-31T12:00:01.000Z","type":"later","data":{},"previous":"","hash":""}\n`,
    );
    const next = await askJson<EventsPart>(
      viewer,
      `/api/events?group=${group}&trial=${trial(0)}&from=${part.next}`,
    );
    expect(next.events.map(({ type }) => type)).toEqual(["later"]);
    expect((await trialPage(0)).problem).toBe("it is not JSON");
  });

  test("files are read where they lie: no way out, no link, no pipe", async () => {
    writeText(runs, "secret.txt", "the answers");
    fs.mkdirSync(inTrial(0, "code"), { recursive: true });
    fs.symlinkSync(runs, inTrial(0, "code/out"));
    fs.symlinkSync(path.join(runs, "secret.txt"), inTrial(0, "code/link.py"));
    for (const name of [
      "../../secret.txt",
      "code/out/secret.txt",
      "code/link.py",
      "/etc/passwd",
      "code",
      "",
    ]) {
      const address = `/api/file?group=${group}&trial=${trial(0)}&path=${encodeURIComponent(name)}`;
      const reply = await ask(viewer, address, { authorization: `Bearer ${viewer.token}` });
      expect(reply.status, name).toBe(404);
      expect(reply.body).not.toContain("the answers");
    }
    const list = await ask(viewer, `/api/files?group=${group}&trial=${trial(0)}`, {
      authorization: `Bearer ${viewer.token}`,
    });
    expect(list.body).not.toContain("link.py");
  });

  test("a group that is damaged, and one that vanishes while one looks, take nobody along", async () => {
    writeText(runs, "damaged/group.json", "{");
    fs.mkdirSync(path.join(runs, "empty"));
    const short = plantGroup(runs, "short-lived", [{ competitionId: "spaceship-titanic", seed: 0 }]);
    // What was listed a moment ago counts for that moment.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = await askJson<RunsPage>(viewer, "/api/runs");
    expect(before.groups.map(({ id }) => id)).toContain(path.basename(short));
    expect(before.groups.find(({ id }) => id === "damaged")?.problem).toContain("its plan cannot be used");
    fs.rmSync(short, { recursive: true });
    const gone = await ask(viewer, `/api/group?group=${path.basename(short)}`, {
      authorization: `Bearer ${viewer.token}`,
    });
    expect([200, 404]).toContain(gone.status);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = await askJson<RunsPage>(viewer, "/api/runs");
    expect(after.groups.map(({ id }) => id)).not.toContain(path.basename(short));
    expect(after.groups.map(({ id }) => id)).toContain(group);
  });
});
