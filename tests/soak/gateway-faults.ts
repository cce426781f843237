// 10,000 model calls of five trials through their gateways to a provider that fails in every way it can. The ledgers must
// agree with the provider's own journal. Options: --calls <n>, --seed <n>.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { runFaults } from "../e2e/models/faults.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
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
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
