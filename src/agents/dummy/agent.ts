import fs from "node:fs";
import path from "node:path";
import { readContract } from "../kit/contract.ts";
import { submitSample } from "../sample/submit-sample.ts";
import { type Check, mustBe } from "./check.ts";
import { fileChecks } from "./file-checks.ts";
import { machineChecks } from "./machine-checks.ts";
import { networkChecks } from "./network-checks.ts";
import { submitFilled, wantedFill } from "./submit-filled.ts";

const contract = readContract();
const fill = wantedFill(process.argv.slice(2));
const checks: Check[] = [
  ...machineChecks(contract),
  ...fileChecks(contract),
  ...(await networkChecks(contract)),
  ...(await sampleChecks()),
  ...(fill === null ? [] : [await submitFilled(contract, fill)]),
];
const failed = checks.filter(({ ok, mandatory }) => mandatory && !ok);
const report = { schema: "mlebench/dummy", version: 1, passed: failed.length === 0, checks };
fs.writeFileSync(path.join(contract.logs, "dummy.json"), `${JSON.stringify(report, null, 2)}\n`);
for (const { name, ok, detail } of checks)
  console.log(`${ok ? "ok    " : "FAILED"}  ${name}: ${detail.split("\n")[0]}`);
if (failed.length > 0) process.exitCode = 1;

async function sampleChecks(): Promise<Check[]> {
  const { from, reply } = await submitSample(contract);
  const verdict = reply?.status === "answered" ? reply.result : (reply?.message ?? "nothing to validate");
  return [
    mustBe("sample-submission", from !== null, from ?? "the data hold nothing that looks like one"),
    mustBe("server-validates", reply?.status === "answered", verdict.split("\n")[0]),
  ];
}
