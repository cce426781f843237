/**
 * Lets every single write of a trial fail, one after the other, and resumes: `npm run soak -- failing-writes`.
 *
 *   --kind once|half|on     only so (all three one after the other)
 *   --calls opens           no descriptor is left for the n-th file that is opened, instead
 *   --sandbox bubblewrap    (process)
 *   --from N --to N         only these
 *   --step N                only every N-th
 *   --lanes N               so many at a time (4)
 *   --command-every N       every N-th by the command, run, resume and verify (25), the others by the same functions in a
 *                           process that lives on, whose death would be a finding
 */
import fs from "node:fs";
import { parseArgs } from "node:util";
import { type Fault, runWithFault, type System } from "../e2e/survival/faults.ts";
import { faultWorker, serveFaults } from "./failing-writes/worker.ts";

if (process.argv[2] === "--worker") {
  serveFaults();
} else {
  const { values } = parseArgs({
    options: {
      kind: { type: "string" },
      calls: { type: "string", default: "writes" },
      sandbox: { type: "string", default: "process" },
      from: { type: "string", default: "1" },
      to: { type: "string" },
      step: { type: "string", default: "1" },
      lanes: { type: "string", default: "4" },
      "command-every": { type: "string", default: "25" },
    },
  });
  const calls = values.calls === "opens" ? "opens" : "writes";
  const code = calls === "opens" ? "EMFILE" : "ENOSPC";
  const kinds = (values.kind?.split(",") ?? ["once", "half", "on"]) as Fault["kind"][];
  const system: System = { sandbox: values.sandbox as System["sandbox"] };
  // In memory where there is such a place: what is asked is what becomes of a write that fails, not how long a disk takes.
  const memory = "/dev/shm";
  const folder = fs.existsSync(memory) ? fs.mkdtempSync(`${memory}/mlebench-failing-`) : undefined;
  if (folder !== undefined) process.env.MLEBENCH_TEST_FOLDER = folder;
  const started = performance.now();
  const workers = Array.from({ length: Number(values.lanes) }, () => faultWorker(calls, system));
  const whole = await workers[0].run({ calls, kind: "once", code, at: 2 ** 30 });
  for (const problem of whole.problems) console.log(`without a fault: ${problem}`);
  console.log(`${whole.calls} ${calls} in a trial in ${system.sandbox}, grading and all`);
  let failed = whole.problems.length;
  let tried = 0;
  const faults = kinds
    .filter((kind) => calls === "writes" || kind !== "half")
    .flatMap((kind) => {
      const last = Number(values.to ?? whole.calls);
      return Array.from({ length: last }, (_, i): Fault => ({ calls, kind, code, at: i + 1 }));
    })
    .filter(({ at }) => at >= Number(values.from) && (at - Number(values.from)) % Number(values.step) === 0);
  const lane = async (worker: (typeof workers)[number]) => {
    for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) {
      const byCommand = tried++ % Number(values["command-every"]) === 0;
      const { problems } = byCommand ? await runWithFault(fault, system) : await worker.run(fault);
      for (const problem of problems)
        console.log(`${fault.kind} ${fault.at}${byCommand ? " (command)" : ""}: ${problem}`);
      failed += problems.length > 0 ? 1 : 0;
      if (tried % 50 === 0) console.log(`${tried} tried`);
    }
  };
  await Promise.all(workers.map(lane));
  for (const worker of workers) worker.stop();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${tried} faults in ${seconds} s, ${failed} with problems`);
  // What went wrong is kept, to be looked at.
  if (folder !== undefined && failed === 0) fs.rmSync(folder, { recursive: true });
  process.exitCode = failed === 0 ? 0 : 1;
}
