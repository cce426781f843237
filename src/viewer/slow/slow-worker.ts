import { parentPort, workerData } from "node:worker_threads";
import { ROUTES } from "../routes/routes.ts";
import { openStore } from "../store.ts";
import type { SlowOrder, SlowPlace, SlowReply } from "./slow-routes.ts";

const { runsDir, competitionsDir } = workerData as SlowPlace;
const store = openStore(runsDir, competitionsDir);

parentPort?.on("message", async ({ number, name, ask }: SlowOrder) => {
  let reply: SlowReply;
  try {
    reply = { number, answer: await ROUTES[name](store, ask) };
  } catch {
    reply = { number, answer: { ok: false, status: 400, message: "That could not be worked out." } };
  }
  parentPort?.postMessage(reply);
});
