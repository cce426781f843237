// A harness of its own process, to be killed, or to be run as another user: starts one sandbox, prints what became
// of it as lines of JSON, and waits for its end.
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";

const [kind, request] = process.argv.slice(2);
const outcome = await sandboxes[kind as SandboxKind].start(JSON.parse(request));
if (outcome.status === "refused") {
  console.log(JSON.stringify(outcome));
} else {
  console.log(JSON.stringify({ status: "started", policy: outcome.policy }));
  const exit = await outcome.running.wait();
  console.log(JSON.stringify({ status: "ended", exit, usage: outcome.running.usage() }));
}
