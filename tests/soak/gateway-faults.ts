// 10,000 model calls of five trials through their gateways to a provider that fails in every way it can: the ledgers must
// agree with the provider's own journal. Then a stream of each pair of protocols, broken off at every byte. Options: --calls <n>,
// --seed <n>, --step <n> (every n-th byte only).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { cutStreams } from "../e2e/models/cut-streams.ts";
import { runFaults } from "../e2e/models/faults.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    step: { type: "string", default: "1" },
  },
});
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-soak-"));
try {
  const from = performance.now();
  const report = await runFaults({
    folder,
    calls: Number(values.calls),
    trials: 5,
    seed: Number(values.seed),
    parallel: 40,
  });
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  const { calls, attempts, answered, failed, faults, problems } = report;
  console.log(`${calls} calls in ${seconds} s: ${attempts} attempts, ${answered} answered, ${failed} failed`);
  for (const [name, count] of Object.entries(faults)) console.log(`  ${name}: ${count}`);
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0 ? "The ledgers agree with the provider's journal." : `${problems.length} problems`,
  );
  const cut = await cutStreams(folder, Number(values.step));
  console.log(`${cut.cuts} streams broken off: ${cut.problems.length} problems`);
  for (const problem of cut.problems.slice(0, 50)) console.error(problem);
  process.exitCode = problems.length + cut.problems.length === 0 ? 0 : 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
