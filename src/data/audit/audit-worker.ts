import { parentPort } from "node:worker_threads";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { auditPrepared } from "./audit.ts";
import type { AuditMessage, AuditOrder } from "./audit-in-thread.ts";

const tell = (message: AuditMessage) => parentPort?.postMessage(message);

parentPort?.once("message", async ({ competitionId, competitionsDir, ...place }: AuditOrder) => {
  const competition = await loadCompetition(competitionId, competitionsDir);
  if (!competition) throw new Error(`there is no competition ${competitionId} any more`);
  const report = await auditPrepared({ ...place, competition, onProgress: (step) => tell({ step }) });
  tell({ report });
});
