import { parentPort } from "node:worker_threads";
import { prepareCompetition } from "./competition.ts";
import type { PrepareMessage, WorkerOrder } from "./many.ts";

const stopped = new AbortController();
const tell = (message: PrepareMessage) => parentPort?.postMessage(message);

parentPort?.on("message", async (message: WorkerOrder) => {
  if (message.order === "stop") {
    stopped.abort();
    return;
  }
  const outcome = await prepareCompetition(message.options, {
    signal: stopped.signal,
    beaten: true,
    onProgress: (progress) => tell({ event: "progress", progress }),
    onNote: (note) => tell({ event: "note", message: note }),
  });
  tell({ event: "outcome", outcome });
});
