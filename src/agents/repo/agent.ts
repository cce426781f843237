import { isMainThread } from "node:worker_threads";
import { work as baselineWork } from "../baseline/work.ts";
import { readContract } from "../kit/contract.ts";
import { solveByRepository } from "./solve.ts";

const contract = readContract();
// The fallback is the baseline, which does its work in a thread of the same program.
if (isMainThread) await solveByRepository(contract, process.argv.slice(2), process.argv[1]);
else await baselineWork(contract);
