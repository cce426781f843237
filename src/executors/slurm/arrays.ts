import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../files/make-folder.ts";
import { type RecordKind, readRecord, recordOrNull } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import type { Needs } from "../executor.ts";
import { SlurmArray } from "./schema.ts";

const ARRAY: RecordKind<SlurmArray> = { schema: "mlebench/slurm-array", version: 1, shape: SlurmArray };

/** What stands in a group's folder about its job arrays. */
export interface ArrayStore {
  /** Writes down what is going to be submitted: by the key it is found in the queue, whoever is killed meanwhile. */
  plan(trials: readonly string[], needs: Needs): SlurmArray;
  /** The number that Slurm gave it. */
  save(array: SlurmArray): void;
  /** Nothing of it is left in the queue. */
  close(array: SlurmArray): void;
  /** Those that may still be in the queue. */
  open(): SlurmArray[];
  script: string;
  logOf(key: string): string;
  /** The last words of a task that left no trial behind; empty when it said nothing. */
  lastWords(key: string, index: number): string;
  /** A task whose trial is finished has nothing more to tell. */
  forget(key: string, index: number): void;
}

/** `slurm/` in the group's folder. No record covers it: it is about how trials were scheduled, not what came of them. */
export function arrayStore(group: string): ArrayStore {
  const folder = path.join(group, "slurm");
  const logs = path.join(folder, "logs");
  const fileOf = (key: string) => path.join(folder, `${key}.json`);
  const tasksOf = (key: string) => path.join(folder, `${key}.tasks`);
  const script = path.join(folder, "task.sh");
  const logOf = (key: string, task: string) => path.join(logs, `${key}_${task}.log`);
  const write = (array: SlurmArray) =>
    writeFileAtomically(fileOf(array.key), `${JSON.stringify(array, null, 1)}\n`);
  const name = path
    .basename(group)
    .replaceAll(/[^\w.-]/g, "-")
    .slice(0, 60);
  return {
    script,
    // Slurm reads a "%" as the beginning of something of its own.
    logOf: (key) => path.join(logs.replaceAll("%", "%%"), `${key}_%a.log`),
    plan(trials, needs) {
      makeFolder(logs);
      writeFileAtomically(script, taskScript(group, folder));
      const array: SlurmArray = {
        schema: "mlebench/slurm-array",
        version: 1,
        key: `${name}-${randomBytes(4).toString("hex")}`,
        jobId: null,
        submittedAt: new Date().toISOString(),
        trials: [...trials],
        needs: { ...needs },
      };
      writeFileAtomically(tasksOf(array.key), `${trials.join("\n")}\n`);
      write(array);
      return array;
    },
    save: write,
    close(array) {
      fs.rmSync(tasksOf(array.key), { force: true });
    },
    open: () =>
      list(folder)
        .filter((file) => file.endsWith(".tasks"))
        .flatMap((file) => recordOrNull(readRecord(fileOf(file.slice(0, -".tasks".length)), ARRAY)) ?? []),
    lastWords(key, index) {
      try {
        const text = fs.readFileSync(logOf(key, `${index}`), "utf8").trim();
        return text.split("\n").slice(-3).join(" ").slice(-400);
      } catch {
        return "";
      }
    },
    forget: (key, index) => fs.rmSync(logOf(key, `${index}`), { force: true }),
  };
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * What every task runs. The trial's own process takes the script's place, so that Slurm's signals reach it. It is found
 * at the same path on every node, as the group and the data are.
 */
function taskScript(group: string, folder: string): string {
  const program = process.env.MLEBENCH_PROGRAM ?? fileURLToPath(new URL("../cli/main.js", import.meta.url));
  return `#!/bin/bash
# Written by mlebench: one task of a job array is one trial.
trial=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" ${quote(folder)}/"$SLURM_JOB_NAME".tasks)
if [ -z "$trial" ]; then echo "there is no task $SLURM_ARRAY_TASK_ID in $SLURM_JOB_NAME.tasks: it was closed"; exit 0; fi
exec ${quote(process.execPath)} ${quote(program)} trial ${quote(group)} "$trial" --job-id "\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
