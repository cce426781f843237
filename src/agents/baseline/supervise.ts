import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { folderDigest } from "../../files/folder-digest.ts";
import type { AgentContract } from "../kit/contract.ts";
import { placeSample } from "../sample/place-sample.ts";
import { startClock } from "./clock.ts";
import { baselineResult, writeReport } from "./report.ts";
import type { News } from "./workbench.ts";

/**
 * Lets a thread work and reports what came of it. The thread looks at the clock only between its steps; whatever step
 * it is in, it is stopped in time for the report.
 */
export async function supervise(contract: AgentContract, program: string): Promise<void> {
  const clock = startClock(contract);
  placeSample(contract);
  let news: News | null = null;
  let wasStopped = false;
  const worker = new Worker(program);
  worker.on("message", (message: News) => {
    news = message;
  });
  // A digest of data that are too large to be read in time is left out.
  let dataDigest: string | null = null;
  folderDigest(contract.data).then(
    (digest) => {
      dataDigest = digest;
    },
    () => {},
  );
  await new Promise<void>((resolve) => {
    const end = setTimeout(
      () => {
        wasStopped = true;
        resolve();
      },
      Math.max(0, clock.secondsToTheEnd() * 1000),
    );
    worker.on("error", (error) => {
      // What stands submitted stays; a harness that looks at the exit code still learns that something broke.
      console.error(error);
      process.exitCode = 1;
    });
    worker.on("exit", () => {
      clearTimeout(end);
      resolve();
    });
  });
  const last = news as News | null;
  if (last?.status === "nothing to do") {
    console.error(last.message);
    process.exit(1);
  }
  fs.rmSync(path.join(contract.submission, ".submission.csv.new"), { force: true });
  if (last !== null) {
    const { journal } = last;
    for (const { name, score, note } of journal.steps)
      console.log(`${score?.toPrecision(5) ?? "-"}  ${name}: ${note}`);
    const done = { ...last, cut: last.cut || wasStopped, plannedSeconds: clock.plannedSeconds };
    const code = path.join(contract.code, "agent.mjs");
    fs.copyFileSync(program, code);
    writeReport(contract, done, clock.elapsedSeconds());
    const sha256 = (file: string) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
    const submission = path.join(contract.submission, "submission.csv");
    console.log(
      baselineResult(contract, done, {
        runtimeSeconds: clock.elapsedSeconds(),
        codeSha256: sha256(code),
        submissionSha256: fs.existsSync(submission) ? sha256(submission) : null,
        dataSha256: dataDigest,
      }),
    );
  }
  // The thread may still be in the middle of a step, and the digest of reading.
  process.exit();
}
