import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { loadCompetition } from "../../../src/competitions/catalogue.ts";
import { regularFiles } from "../../../src/files/folder-digest.ts";
import { dataDigest } from "../../../src/trials/certificate/data-digest.ts";
import type { GroupSettings } from "../../../src/trials/group/schema.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, type Scene } from "../trials/setting.ts";
import { type Kind, makeMinimalSystem } from "./minimal-system.ts";

/** What every hostile agent is let loose on: a small competition, and things planted where it must not find them. */
export interface Arena extends Scene {
  /** In the environment of the agent's processes, so that survivors are found. */
  run: string;
  /** Where an answer lies on the host. */
  answerFile: string;
  marker: string;
  /** A secret of the agents' definitions. */
  key: string;
  /** How a run asks for a system without Node, Python or curl; every agent runs in it. */
  systemFor(kind: Kind): Partial<GroupSettings>;
  /** Paths, sizes and times of everything on the host that no trial may change. */
  untouched(): string[];
  close(): void;
}

/** Made once for all agents. Plants the marker in answers, raw data, a grader, a leaderboard and another trial. */
export async function makeArena(kinds: readonly Kind[]): Promise<Arena> {
  const root = temporaryFolder();
  const system = path.join(root, "system");
  const { settingsFor, removeImage } = makeMinimalSystem(system, kinds);
  const [start, end] = [randomBytes(8).toString("hex"), randomBytes(8).toString("hex")];
  const marker = `${start}-${end}`;
  const dataDir = layOutPrepared(path.join(root, "data"));
  const competition = path.join(dataDir, COMPETITION);
  const answerFile = writeText(competition, "prepared/private/answers-of-somebody.csv", `${marker}\n`);
  writeText(competition, "raw/train.csv", marker);
  writeText(competition, "leaderboard.csv", marker);
  writeText(root, "competitions/own/competition.mjs", `// ${marker}`);
  writeText(root, "competitions/own/leaderboard.json", JSON.stringify(marker));
  writeText(root, "runs/other-group/other-trial/submission/submission.csv", marker);
  writeText(root, "runs/other-group/other-trial/work/logs/agent.log", marker);
  writeText(root, `secret-${marker}.txt`, marker);
  // Written down beside the data the first time they are used, by the harness.
  await dataDigest(dataDir, (await loadCompetition(COMPETITION))!.competition, { version: "v1" });
  const outside = net.createServer((client) => client.end("the host")).listen(0, "127.0.0.1");
  await new Promise((resolve) => outside.once("listening", resolve));
  const run = `hostile-${randomBytes(8).toString("hex")}`;
  const key = `sk-${randomBytes(12).toString("hex")}"&/x`;
  Object.assign(process.env, {
    HOSTILE_RUN: run,
    HOSTILE_PORT: String((outside.address() as net.AddressInfo).port),
    HOSTILE_MARKER_START: start,
    HOSTILE_MARKER_END: end,
    HOSTILE_FILE: answerFile,
    HOSTILE_KEY: key,
  });
  const runsDir = path.join(root, "runs");
  return {
    root,
    dataDir,
    runsDir,
    agentsDir: path.resolve("tests/agents/hostile"),
    run,
    answerFile,
    marker,
    key,
    systemFor: settingsFor,
    untouched: () =>
      [dataDir, path.join(root, "competitions"), path.join(runsDir, "other-group"), system].flatMap(
        (folder) =>
          regularFiles(folder).map((name) => {
            const { size, mtimeMs, mode } = fs.statSync(path.join(folder, name));
            return `${folder}/${name} ${size} ${mtimeMs} ${mode}`;
          }),
      ),
    close: () => {
      outside.close();
      removeImage();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Every process whose environment or command line carries the text. */
export function processesWith(text: string): string[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const seen = ["environ", "cmdline"].map((file) => fs.readFileSync(`/proc/${name}/${file}`, "latin1"));
        return seen.some((content) => content.includes(text))
          ? [`${name} ${seen[1].replaceAll("\0", " ")}`]
          : [];
      } catch {
        return [];
      }
    });
}
