import { readContract } from "../kit/contract.ts";
import { submitSample } from "./submit-sample.ts";

const { from, reply } = await submitSample(readContract());
if (from === null) {
  console.error("The data hold nothing that looks like a sample submission.");
  process.exitCode = 1;
} else {
  console.log(`submitted ${from}`);
  if (reply?.status === "answered") console.log(reply.result);
  else console.error(`the harness did not say whether it is valid: ${reply?.message}`);
  if (reply?.status !== "answered" || !reply.isValid) process.exitCode = 1;
}
