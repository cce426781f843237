import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type JournalRead, readJournal } from "../../../src/agents/tree/journal/read.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { modelEnvironment } from "../../../src/models/gateway/environment.ts";
import { openSetting, type Setting } from "../models/gateway-setting.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// Tests and soaks are started in the root of the repository; a soak is a bundle that lies elsewhere.
const AGENT = path.resolve("dist/agents/tree/agent.mjs");

export interface TreeSetting {
  folder: string;
  data: string;
  /** Starts the agent as the harness would, on these folders; again: it goes on. */
  start(args: readonly string[], seconds?: number): ChildProcess;
  run(args: readonly string[], seconds?: number): Promise<{ code: number | null; output: string }>;
  journal(): Promise<Extract<JournalRead, { status: "read" }>>;
  text(name: string): string;
  end(): Promise<void>;
}

/** An agent's surroundings without a trial: the gateway with a model, data of a small competition, empty folders. */
export async function treeSetting(
  model: string,
  data = smallCompetition(),
  more: Readonly<Record<string, string>> = {},
): Promise<TreeSetting> {
  const folder = temporaryFolder();
  const setting: Setting = await openSetting({
    folder,
    roles: { default: model },
    withToken: true,
    remainingMs: 600_000,
  });
  const port = Number(new URL(setting.gateway.url ?? "").port);
  for (const name of ["submission", "logs", "code", "agent"]) fs.mkdirSync(path.join(folder, name));
  const start = (args: readonly string[], seconds = 300) =>
    spawn(process.execPath, [AGENT, ...args], {
      env: {
        PATH: process.env.PATH,
        COMPETITION_ID: "small",
        DATA_DIR: data,
        SUBMISSION_DIR: path.join(folder, "submission"),
        LOGS_DIR: path.join(folder, "logs"),
        CODE_DIR: path.join(folder, "code"),
        AGENT_DIR: path.join(folder, "agent"),
        MLEBENCH_SEED: "0",
        TIME_LIMIT_SECS: String(seconds),
        MLEBENCH_DEADLINE_EPOCH: String(Math.floor(Date.now() / 1000 + seconds)),
        // Nobody listens: the agent's own check decides.
        MLEBENCH_VALIDATE_URL: "http://127.0.0.1:9/validate",
        ...modelEnvironment(setting.gateway.models, setting.gateway.token ?? "", port),
        ...more,
      },
    });
  return {
    folder,
    data,
    start,
    run: (args, seconds) =>
      new Promise((resolve) => {
        const child = start(args, seconds);
        let output = "";
        for (const stream of [child.stdout, child.stderr])
          stream?.on("data", (piece: Buffer) => {
            output += piece.toString();
          });
        child.on("close", (code) => resolve({ code, output }));
      }),
    async journal() {
      const read = await readJournal(path.join(folder, "logs/journal.jsonl"));
      if (read.status !== "read") throw new Error(`the journal is ${read.status}`);
      return read;
    },
    text: (name) => fs.readFileSync(path.join(folder, name), "utf8"),
    end: async () => {
      await setting.end();
    },
  };
}

/** A table with a planted signal: what is learned longer and with squares is better. */
export function smallCompetition(rows = 400): string {
  const folder = temporaryFolder();
  const random = seededRandom(5);
  const row = (id: string) => {
    const [a, b, c] = [random() * 4 - 2, random() * 4 - 2, random()];
    const kind = random() < 0.5 ? "x" : "y";
    const y = 10 + 2 * a + b * b + (kind === "x" ? 1.5 : 0) + 0.1 * c;
    return { cells: [id, a.toFixed(4), b.toFixed(4), c.toFixed(4), kind], y: y.toFixed(4) };
  };
  const train = Array.from({ length: rows }, (_, i) => row(`t${i}`));
  const test = Array.from({ length: 60 }, (_, i) => row(`q${i}`));
  const write = (name: string, lines: readonly string[]) =>
    fs.writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
  write("train.csv", ["id,a,b,c,kind,y", ...train.map(({ cells, y }) => [...cells, y].join(","))]);
  write("test.csv", ["id,a,b,c,kind", ...test.map(({ cells }) => cells.join(","))]);
  write("sample_submission.csv", ["id,y", ...test.map(({ cells: [id] }) => `${id},10`)]);
  write("description.md", [
    "# Small",
    "",
    "Predict `y`.",
    "",
    "## Metric",
    "",
    "**RMSE (root mean squared error), lower is better.**",
  ]);
  return folder;
}
