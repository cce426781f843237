import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { openTranscripts } from "../../../src/models/transcripts/store.ts";
import type { CallsPart } from "../../../src/viewer/routes/calls.ts";
import type { CertificatePage } from "../../../src/viewer/routes/certificate.ts";
import type { CommandsPart } from "../../../src/viewer/routes/commands.ts";
import type { EventsPart } from "../../../src/viewer/routes/events.ts";
import type { RunsPage } from "../../../src/viewer/routes/runs.ts";
import type { TrialPage } from "../../../src/viewer/routes/trial.ts";
import { plantGroup } from "../report/planted-group.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { askJson, type StartedViewer, startViewer } from "./start.ts";

const KEPT = path.resolve("tests/fixtures/groups/2026-11/tree-signed");
const runs = path.join(temporaryFolder(), "runs");
const group = path.basename(
  plantGroup(runs, "agent", [
    { competitionId: "spaceship-titanic", seed: 0 },
    { competitionId: "leaf-classification", seed: 0 },
  ]),
);
const [record, lines] = ["spaceship-titanic_000000", "leaf-classification_000001"];
let viewer: StartedViewer;

beforeAll(async () => {
  viewer = await startViewer(runs);
});
afterAll(() => viewer.end());

/** What takes no room on the disk of the test takes as much memory as any other file. */
function enlarge(...name: string[]): void {
  const file = path.join(runs, ...name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, "");
  fs.truncateSync(file, 300 * 2 ** 20);
}

const address = (route: string, trial: string, more = "") =>
  `/api/${route}?group=${group}&trial=${trial}${more}`;

describe("records larger than any of ours", () => {
  test("are named as such, and never read whole", async () => {
    enlarge(group, record, "trial.json");
    enlarge(group, record, "certificate.json");
    enlarge(group, record, "heartbeat.json");
    enlarge("with-a-plan", "group.json");
    enlarge("with-a-list", "metadata.json");
    const page = await askJson<TrialPage>(viewer, address("trial", record));
    expect(page.problem).toBe(`it has ${300 * 2 ** 20} bytes`);
    const { verification } = await askJson<CertificatePage>(viewer, address("certificate", record));
    expect(verification.verdict).toBe("broken");
    const problem = async () => {
      const { groups } = await askJson<RunsPage>(viewer, "/api/runs");
      return groups.find(({ id }) => id === "with-a-plan")?.problem;
    };
    // What was listed a moment ago counts for that moment.
    await expect.poll(problem, { timeout: 30_000 }).toContain(`${300 * 2 ** 20} bytes`);
    const status = fs.readFileSync(`/proc/${viewer.child.pid}/status`, "utf8");
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(250);
  });

  test("a line too long to be an event or a call hides nothing that stands behind it", async () => {
    const long = `{"a":[${"1,".repeat(5 * 2 ** 20)}1]}\n`;
    const event = {
      seq: 1,
      time: "2026-01-31T12:00:00.000Z",
      type: "later",
      data: {},
      previous: "",
      hash: "",
    };
    writeText(path.join(runs, group, lines), "events.jsonl", `${long}${JSON.stringify(event)}\n`);
    const kept = fs.readdirSync(KEPT).find((name) => fs.existsSync(path.join(KEPT, name, "model")))!;
    const ledger = fs.readFileSync(path.join(KEPT, kept, "model/ledger.jsonl"), "utf8");
    writeText(path.join(runs, group, lines), "model/ledger.jsonl", `${long}${ledger}`);
    const types: string[] = [];
    for (let from = 0; ; ) {
      const part = await askJson<EventsPart>(viewer, address("events", lines, `&from=${from}`));
      types.push(...part.events.map(({ type }) => type));
      from = part.next;
      if (!part.more) break;
    }
    expect(types).toEqual(["later"]);
    const calls = ledger.split("\n").filter((line) => line.includes('"seq"')).length;
    let seen = 0;
    for (let from = 0; ; ) {
      const part = await askJson<CallsPart>(viewer, address("calls", lines, `&from=${from}`));
      seen += part.calls.length;
      from = part.next;
      if (!part.more) break;
    }
    expect(seen).toBe(calls);
    expect(readLedger(path.join(runs, group, lines, "model/ledger.jsonl")).lines).toHaveLength(calls);
  });

  test("an event that is nested without end is shown as far as anybody reads", async () => {
    const deep = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;
    const row = `{"seq":0,"time":"2026-01-31T12:00:00.000Z","type":"deep","data":{"elapsedSeconds":1.23456,"cost":0.0000421,"sha256":"${"ab".repeat(32)}","none":null,"x":${deep}},"previous":"","hash":""}`;
    writeText(path.join(runs, group, record), "events.jsonl", `${row}\n`);
    const { events } = await askJson<EventsPart>(viewer, address("events", record));
    expect(events[0].text).toBe(
      "elapsed seconds 1.235, cost 0.0000421, sha256 abababababab…, x (a (a (a (a …))))",
    );
  });

  test("commands of conversations larger than a part are told in several, each with what came back to it", async () => {
    const asked = (command: string) => ({
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "bash", arguments: JSON.stringify({ command }) },
        },
      ],
    });
    const told = (content: string) => ({ role: "tool", tool_call_id: "call_1", content });
    const store = openTranscripts(path.join(runs, group, record, "model"), "full");
    const bytes = (value: object) => Buffer.from(JSON.stringify(value));
    const keep = (call: number, messages: object[], reply: object) =>
      store.keep(
        call,
        "chat",
        bytes({ model: "m", messages: [{ role: "user", content: "go" }, ...messages] }),
        bytes({ choices: [{ message: reply, finish_reason: "tool_calls" }] }),
      );
    // Two conversations that both count their calls from one.
    keep(0, [{ role: "user", content: "a".repeat(65 * 2 ** 20) }], asked("ls"));
    keep(1, [], asked("date"));
    keep(2, [asked("date"), told("noon")], { role: "assistant", content: "It is noon." });
    keep(3, [asked("ls"), told("a b")], asked("exit"));
    store.close();
    const parts: [string, string | null][][] = [];
    for (let from: number | null = 0; from !== null; ) {
      const part: CommandsPart = await askJson(viewer, address("commands", record, `&from=${from}`));
      parts.push(part.commands.map(({ input, result }) => [JSON.parse(input).command, result]));
      from = part.next;
    }
    expect(parts).toEqual([
      [["ls", "a b"]],
      [
        ["date", "noon"],
        ["exit", null],
      ],
    ]);
  });
});
