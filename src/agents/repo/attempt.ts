import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { REPOSITORY_TOOLS, repositoryTools } from "../../repositories/tools/repository-tools.ts";
import type { AgentContract } from "../kit/contract.ts";
import type { AskModel } from "../kit/model-client.ts";
import { validateSubmission } from "../kit/validate-client.ts";
import { codeactTools } from "../tools/codeact.ts";
import { stringArguments, stringInput, type WorkTool } from "../tools/tool.ts";
import { type WorkEnd, type WorkOptions, work } from "../tools/work.ts";
import type { Candidate } from "./candidates.ts";
import { type Environment, environmentText, inEnvironment } from "./environment.ts";
import { openingOf } from "./prompt.ts";
import type { RepoSettings } from "./settings.ts";

export interface Attempt {
  repository: string;
  number: number;
  end: WorkEnd["why"];
  turns: number;
  restarts: number;
  solved: boolean;
  /** Why not, in a sentence for the next attempt and the log. */
  why: string;
}

const MAX_RESTARTS = 2;

/** One attempt on one repository, and the judgement of what it left. */
export async function attempt(
  contract: AgentContract,
  ask: AskModel,
  candidate: Candidate,
  settings: RepoSettings,
  number: number,
  earlier: readonly string[],
  hasPython: boolean,
  environment: Environment,
): Promise<Attempt> {
  const before = submissionDigest(contract);
  const said = { solved: "" };
  const options: WorkOptions = {
    tools: [...ownTools(candidate, said), ...codeactTools(hasPython).filter(({ name }) => name !== "finish")],
    maxSteps: settings.maxTurns,
    commandSeconds: settings.commandSeconds,
    hasPython,
    hardware: process.env.HARDWARE ?? "",
    opening: openingOf(contract, candidate, settings, earlier, environmentText(environment)),
    context: { tokens: settings.contextTokens, restarts: MAX_RESTARTS },
    transcript: `conversation-${candidate.map.name.replace(/[^\w.-]/g, "_")}-${number}.jsonl`,
  };
  const end = await inEnvironment(environment, () => work(contract, ask, options));
  const why = await judge(contract, before, end, said.solved);
  return {
    repository: candidate.map.name,
    number,
    end: end.why,
    turns: end.steps,
    restarts: "restarts" in end ? end.restarts : 0,
    solved: why === "",
    why,
  };
}

/** Ways to look at the repository, and an end that says whether it helped. */
function ownTools({ map }: Candidate, said: { solved: string }): WorkTool[] {
  const look = repositoryTools(map);
  const tools = REPOSITORY_TOOLS.map(
    ({ name, description, argument }): WorkTool => ({
      name,
      description,
      parameters: stringArguments({ query: argument }),
      run: (input) => ({ text: look(name, stringInput(input, "query")).text }),
    }),
  );
  return [
    ...tools,
    {
      name: "finish",
      description: "Ends the work on this repository.",
      parameters: stringArguments({
        solved: "yes or no",
        message: "what was done, or why it cannot be done",
      }),
      run(input) {
        said.solved = String(input.solved ?? "").toLowerCase();
        return { text: String(input.message ?? ""), finished: true };
      },
    },
  ];
}

/** Solved means: a valid submission that this attempt wrote, and a model that does not call it a failure. "" if so. */
export async function judge(
  contract: AgentContract,
  before: string | null,
  end: WorkEnd,
  solved: string,
): Promise<string> {
  if (end.why === "refused" || end.why === "unreachable") return `the model gave no answer: ${end.message}`;
  if (/^no/.test(solved)) return `the model gave up: ${("words" in end ? end.words : "").slice(0, 300)}`;
  const file = path.join(contract.submission, "submission.csv");
  const after = submissionDigest(contract);
  if (after === null) return "no submission was written";
  if (after === before) return "the submission is the one that stood there before";
  const reply = await validateSubmission(contract.validateUrl, file);
  if (reply.status === "answered" && !reply.isValid)
    return `the submission is not valid: ${reply.result.slice(0, 300)}`;
  if (end.why === "context") return "the conversation was too long after two restarts";
  return "";
}

export function submissionDigest({ submission }: AgentContract): string | null {
  const file = path.join(submission, "submission.csv");
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  return createHash("sha256").update(fs.readFileSync(file)).digest("hex");
}
