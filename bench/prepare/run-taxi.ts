import { preparer } from "../../src/competitions/new-york-city-taxi-fare-prediction/prepare.ts";
import { runPreparer } from "../../src/competitions/preparing/run-preparer.ts";

const [raw, out] = process.argv.slice(2);
const outcome = await runPreparer({ preparer, raw, out });
if (outcome.status !== "prepared") {
  console.error(outcome);
  process.exitCode = 1;
}
