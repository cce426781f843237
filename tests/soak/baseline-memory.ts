/**
 * Runs the baseline on a table of a million rows (and a million to predict) and on a wide one, with a gigabyte and with
 * two, and fails if it ever takes more, or leaves no valid submission. Needs the built package.
 *
 *   npm run soak -- baseline-memory
 *   npm run soak -- baseline-memory --rows 200000 --seconds 120
 */
import { parseArgs } from "node:util";
import { formatProblem } from "../../src/agents/baseline/format-check.ts";
import { readTextTable } from "../../src/agents/baseline/reading/text-table.ts";
import { agentPlace, runAgent } from "../e2e/baseline/agent-process.ts";
import { writeLargeTable } from "../e2e/baseline/large-tables.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "300" },
  },
});
const rows = Number(values.rows);
const TABLES = {
  long: { trainRows: rows, testRows: rows, furtherColumns: 0 },
  wide: { trainRows: 5000, testRows: 5000, furtherColumns: 3000 },
};
let failed = false;
for (const [name, sizes] of Object.entries(TABLES)) {
  const data = writeLargeTable(sizes);
  const sample = readTextTable(`${data}/sample_submission.csv`);
  if (sample === null) throw new Error("no sample submission");
  for (const gigabytes of [1, 2]) {
    const memoryBytes = gigabytes * 2 ** 30;
    const place = agentPlace({ data, seconds: Number(values.seconds), memoryBytes });
    const { code, stderr, seconds, peakBytes } = await runAgent(place.variables);
    const problem = formatProblem(place.submission, sample);
    const { value, cut } = place.metrics();
    const ok = code === 0 && problem === null && peakBytes < memoryBytes && value !== null;
    failed ||= !ok;
    const megabytes = Math.round(peakBytes / 2 ** 20);
    console.log(
      `${ok ? "ok" : "FAILED"}  ${name}, ${gigabytes} GB: peak ${megabytes} MB, ${seconds.toFixed(0)} s, score ${value}${cut ? ", cut" : ""}${problem === null ? "" : `, ${problem}`}`,
    );
    if (!ok) console.error(stderr);
  }
}
process.exitCode = failed ? 1 : 0;
