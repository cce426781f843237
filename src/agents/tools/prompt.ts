import path from "node:path";
import { type AgentContract, readText } from "../kit/contract.ts";

const MAX_TASK_CHARACTERS = 60_000;

export function systemPrompt(hasPython: boolean): string {
  return `You are a machine-learning engineer at work on one competition, alone in a sandbox. You act through tools only.
${hasPython ? "Python 3 is installed." : "There is no Python here; node is installed."} Work in small steps: look at the data, write a first valid submission early, measure every idea on held-out training rows, keep what helps. Never predict by hand or from memory. Use the time that is left; call finish only when nothing is left to gain.`;
}

/** The task as the agent finds it in its sandbox, and what it has to work with. */
export function taskPrompt(contract: AgentContract, hardware: string): string {
  const instructions = readText(path.join(contract.home, "instructions.txt"));
  const description = readText(path.join(contract.data, "description.md"));
  return [
    instructions,
    description === "" ? "" : `The task:\n${description}`,
    `Data: ${contract.data}\nSubmission: ${path.join(contract.submission, "submission.csv")}\nCode: ${contract.code}\nHardware: ${hardware || "unknown"}\nSeed: ${contract.seed}`,
  ]
    .filter(Boolean)
    .join("\n\n")
    .slice(0, MAX_TASK_CHARACTERS);
}

/** Told with every result: an agent that does not know the time uses a fraction of it. `budget`: what else is left, in words. */
export function timeLeft(secondsLeft: number, stepsLeft: number, budget = ""): string {
  const time = Number.isFinite(secondsLeft) ? `${Math.max(0, Math.floor(secondsLeft))} s` : "no limit known";
  return `[time left: ${time}; steps left: ${stepsLeft}${budget === "" ? "" : `; ${budget}`}]`;
}
