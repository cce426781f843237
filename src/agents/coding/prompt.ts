import fs from "node:fs";
import path from "node:path";
import { type AgentContract, listed, readText } from "../kit/contract.ts";

/** What these programs are not told by themselves: the task, the rules, the time, and that an early stop wastes it. */
export function firstPrompt(contract: AgentContract, hardware: string, budget: string): string {
  return `${readText(path.join(contract.home, "instructions.txt"))}

The task's own text is in ${path.join(contract.data, "description.md")} (or beside it); read it first.
Hardware: ${hardware || "unknown"}. Time left: ${minutes(contract)}. The deadline in seconds since 1970 is ${contract.deadlineEpoch}; \`date +%s\` says what time it is.${budget === "" ? "" : ` What your model may cost is limited; ${budget}.`}

How to work
  - Within the first minutes write a valid submission to ${path.join(contract.submission, "submission.csv")}, however simple, and validate it.
  - Then improve it until the time is used${budget === "" ? "" : ", or what your model may cost"}: measure every idea on held-out training rows, keep what helps, and replace the submission only by a better one that validates.
  - Work without asking anybody: nobody answers. Put your code into ${contract.code}.
`;
}

/** When the program stopped although there is time: in the same conversation, or as the start of a new one. */
export function nextPrompt(
  contract: AgentContract,
  { resumes, continuation, left }: { resumes: boolean; continuation: number; left: string },
): string {
  const submission = path.join(contract.submission, "submission.csv");
  const stands = fs.existsSync(submission)
    ? `A submission stands in ${submission}.`
    : `There is no ${submission} yet: write a valid one first.`;
  const files = listed(contract.code).slice(0, 40).join(", ");
  const opening = resumes
    ? "You stopped, but there is time left."
    : `${readText(path.join(contract.home, "instructions.txt"))}\nYou are going on with work that was begun in another conversation. Your code so far is in ${contract.code}: ${files || "nothing yet"}.`;
  return `${opening} ${stands} Time left: ${minutes(contract)}${left === "" ? "" : `; ${left}`} (continuation ${continuation}). Go on improving it: look for the largest error that is left, try another model or better features, measure on held-out rows, and replace the submission only by a better one that validates.`;
}

function minutes({ deadlineEpoch }: AgentContract): string {
  if (!Number.isFinite(deadlineEpoch)) return "not limited";
  const seconds = Math.max(0, Math.round(deadlineEpoch - Date.now() / 1000));
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}
