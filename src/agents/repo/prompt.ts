import path from "node:path";
import { initialContext } from "../../repositories/map/initial-context.ts";
import type { AgentContract } from "../kit/contract.ts";
import { taskPrompt } from "../tools/prompt.ts";
import type { Candidate } from "./candidates.ts";
import type { RepoSettings } from "./settings.ts";

const SYSTEM = `You are a machine-learning engineer who solves a task by adapting an existing repository, alone in a sandbox. You act through tools only.
The repository is read-only; leave alone what else lies beside it. You are shown a map of it; look closer with the repo_ tools instead of reading whole files. First say in a few sentences which parts you will use and how. Then copy what you need into the code folder, change it until it fits the data, run it, and write the submission. Measure on held-out training rows where you can. Never predict by hand or from memory.
Call finish with solved "yes" when a good submission stands in place, or with "no" and the reason when this repository cannot solve the task.`;

/** The task, the map, and what went wrong before. */
export function openingOf(
  contract: AgentContract,
  candidate: Candidate,
  settings: RepoSettings,
  earlier: readonly string[],
  environment: string,
): { system: string; task: string } {
  const { map } = candidate;
  const output = path.join(contract.submission, "submission.csv");
  const task = taskWords(contract, settings, map.root);
  const failures =
    earlier.length > 0 ? `\n\nEarlier attempts failed:\n${earlier.map((why) => `- ${why}`).join("\n")}` : "";
  return {
    system: SYSTEM,
    task: `${task}\n\nThe repository is in ${map.root}. The submission belongs into ${output}. Its ${environment}.\n\n${initialContext(map, settings.mapTokens).text}${failures}`,
  };
}

/** The task in the words of the RepoMaster file where it has some, of the competition otherwise. */
export function taskWords(contract: AgentContract, settings: RepoSettings, repository: string): string {
  const { file } = settings;
  if (file?.task_prompt)
    return fill(file.task_prompt, {
      task_description: file.task_description ?? taskPrompt(contract, ""),
      repo_path: repository,
      input_data: inputWords(contract, settings),
      output_dir_path: contract.submission,
    });
  const task = file?.task_description ?? taskPrompt(contract, process.env.HARDWARE ?? "");
  return `${task}\n${inputWords(contract, settings)}`;
}

function inputWords(contract: AgentContract, { file }: RepoSettings): string {
  const named = (file?.input_data ?? []).map(
    ({ path: place, description }) => `${place}${description ? `: ${description}` : ""}`,
  );
  return [`Data: ${contract.data}`, ...named].join("\n");
}

/** RepoMaster's template has names in braces. */
function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
