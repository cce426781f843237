// A harness of its own process, to be killed, or to be run as another user: starts one sandbox, prints what became
// of it as lines of JSON, freezes it where it is told to, and waits for its end.
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import { freezeRelay } from "./relay.ts";

const [kind, request, relayFile] = process.argv.slice(2);
const outcome = await sandboxes[kind as SandboxKind].start(JSON.parse(request));
if (outcome.status === "refused") {
  console.log(JSON.stringify(outcome));
} else {
  console.log(JSON.stringify({ status: "started", policy: outcome.policy }));
  if (relayFile !== undefined)
    console.log(JSON.stringify({ status: "frozen", relay: await freezeRelay(outcome.running, relayFile) }));
  const exit = await outcome.running.wait();
  console.log(JSON.stringify({ status: "ended", exit, usage: outcome.running.usage() }));
}
