import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { readContract } from "../kit/contract.ts";
import { modelClient, modelPlace } from "../kit/model-client.ts";
import { codeactTools } from "./codeact.ts";
import { mlabTools } from "./mlab.ts";
import { work } from "./work.ts";

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    scaffold: { type: "string", default: "codeact" },
    max_steps: { type: "string", default: "200" },
    command_seconds: { type: "string", default: "1800" },
  },
});
const contract = readContract();
const place = modelPlace(process.env);
if (place === null) {
  console.error(
    `This agent needs a model: start it with mlebench run --agent tools/${values.scaffold} --model <name>.`,
  );
  process.exit(2);
}
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const end = await work(contract, modelClient(place), {
  maxSteps: Number(values.max_steps),
  commandSeconds: Number(values.command_seconds),
  tools: values.scaffold === "mlab" ? mlabTools() : codeactTools(hasPython),
  hasPython,
  hardware: process.env.HARDWARE ?? "",
});
fs.writeFileSync(path.join(contract.logs, "end.json"), `${JSON.stringify(end)}\n`);
console.log(`ended after ${end.steps} steps: ${end.why}${"message" in end ? ` (${end.message})` : ""}`);
// Without an answer nothing was worked on; with a budget that has ended, what stands there counts.
if (end.why === "unreachable" || (end.why === "refused" && end.steps === 0)) process.exitCode = 1;
