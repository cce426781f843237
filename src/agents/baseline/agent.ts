import { isMainThread } from "node:worker_threads";
import { readContract } from "../kit/contract.ts";
import { supervise } from "./supervise.ts";
import { work } from "./work.ts";

const contract = readContract();
if (isMainThread) await supervise(contract, process.argv[1]);
else await work(contract);
