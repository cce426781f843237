import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import type { AuditReport } from "./audit-schema.ts";

export interface AuditOrder {
  competitionId: string;
  competitionsDir: string | undefined;
  dataDir: string;
  competitionVersion: CompetitionVersion;
  scratch: string;
}

export type AuditMessage = { step: string } | { report: AuditReport };

/** Scans prepared data in a thread, which an interruption ends at once. Null: interrupted. Works in the built package only. */
export async function auditInThread(
  order: Omit<AuditOrder, "scratch">,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (step: string) => void },
): Promise<AuditReport | null> {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-audit-"));
  const worker = new Worker(new URL("../data/audit/audit-worker.js", import.meta.url));
  const stop = () => void worker.terminate();
  try {
    return await new Promise<AuditReport | null>((resolve, reject) => {
      let report: AuditReport | null = null;
      worker.on("message", (message: AuditMessage) => {
        if ("step" in message) onProgress(message.step);
        else report = message.report;
      });
      worker.on("error", reject);
      worker.on("exit", () => resolve(signal.aborted ? null : report));
      signal.addEventListener("abort", stop, { once: true });
      worker.postMessage({ ...order, scratch } satisfies AuditOrder);
    });
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
