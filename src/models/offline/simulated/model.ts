import { createHash } from "node:crypto";
import type { JsonObject, ModelCall, ModelReply, ReplyPart, Tool, Usage } from "../../call.ts";
import { type Conversation, readConversation, reportedMetric, showsFailure } from "./conversation.ts";
import { findHands, type Hands, type ToolUse } from "./hands.ts";
import { javascriptSolution } from "./javascript.ts";
import { answerToOperation, decide, draft, operationIn, POLICIES, type Policy, revise } from "./policy.ts";
import { pythonSolution } from "./python.ts";
import { ratingOf, repositoryStep, termsOf } from "./repository.ts";
import type { SolutionSettings } from "./settings.ts";

export interface SimulatedModel {
  policy: Policy;
  seed: number;
}

/** `steady`, `clumsy@7`: a policy and, after an @, the seed. Null for anything else. */
export function parseSimulated(name: string): SimulatedModel | null {
  const [, policy, seed = "0"] = /^([a-z]+)(?:@(\d{1,9}))?$/.exec(name) ?? [];
  return POLICIES.some((known) => known === policy) ? { policy: policy as Policy, seed: Number(seed) } : null;
}

/**
 * Answers as a language model would that solves table and text competitions with small scripts of its own. The same call
 * gives the same reply: it remembers nothing but what the conversation shows. It is not a language model, and whoever shows
 * its results must say so.
 */
export function simulatedReply(call: ModelCall, model: SimulatedModel): ModelReply {
  const conversation = readConversation(call);
  const hands = findHands(call.tools);
  const parts = answer(call, conversation, hands, model);
  const digest = createHash("sha256")
    .update(JSON.stringify([call.messages, model]))
    .digest("hex");
  return {
    id: `simulated-${digest.slice(0, 24)}`,
    model: `simulated:${model.policy}@${model.seed}`,
    parts: parts.map((part, index) => numbered(part, `call_${digest.slice(24, 40)}_${index}`)),
    usage: usageOf(call, parts),
    stopReason: parts.some((part) => part.type === "tool-call") ? "tools" : "end",
    notes: [],
  };
}

function answer(
  call: ModelCall,
  conversation: Conversation,
  hands: Hands,
  model: SimulatedModel,
): ReplyPart[] {
  const marks = ratingOf(conversation.told) ?? termsOf(conversation.told);
  if (marks !== null) return [text(marks)];
  const ofRepository = repositoryStep(call.tools, conversation, hands, model.policy);
  if (ofRepository !== null) return [text(ofRepository.words), toolCall(ofRepository.use)];
  const review = call.tools.find(isReview);
  if (review) return [toolCall({ name: review.name, kind: "function", input: reviewOf(conversation.told) })];
  if (hands.run || hands.script) return workWithTools(conversation, hands, model);
  if (asksForCode(conversation.told)) return [text(codeAnswer(conversation, model))];
  return [text(shortAnswer(conversation.told))];
}

/** One script after another through the client's tools, until enough of them have been tried. */
function workWithTools(
  conversation: Conversation,
  hands: Hands,
  { policy, seed }: SimulatedModel,
): ReplyPart[] {
  const { latest, solutions, lastTool, toolsUsed, language } = conversation;
  if (hands.run && toolsUsed === 0) {
    return [text("I will look at the data and at what is installed first."), toolCall(hands.run(LOOK))];
  }
  const written = solutions.at(-1);
  if (hands.script && !hands.run && written && lastTool === hands.script.write("", "").name) {
    return [text("I run it."), toolCall(hands.script.execute(fileName(written, language)))];
  }
  const failed = showsFailure(latest);
  const decision = decide({ policy, seed, solutions, failed });
  if (decision.do === "finish") {
    const words = "The submission is in place; further changes brought no more on the held-out rows.";
    return hands.finish ? [text(words), toolCall(hands.finish(words))] : [text(words)];
  }
  const { settings } = decision;
  const plan = text(planOf(settings, failed));
  if (hands.run) return [plan, toolCall(hands.run(runScript(settings, language)))];
  return [plan, toolCall(hands.script!.write(fileName(settings, language), solution(settings, language)))];
}

const fileName = ({ attempt }: SolutionSettings, language: Conversation["language"]) =>
  `solution_${attempt}.${language === "javascript" ? "cjs" : "py"}`;

const solution = (settings: SolutionSettings, language: Conversation["language"]) =>
  language === "javascript" ? javascriptSolution(settings) : pythonSolution(settings);

const DATA = `"\${DATA_DIR:-/home/data}"`;
const LOOK = `ls -la ${DATA}; head -c 600 ${DATA}/*.csv; command -v python3 && python3 --version || echo "python3: not found"; command -v node`;

/** Writes the script where the code is kept, and runs it with a limit, so that a fault costs minutes and not the trial. */
function runScript(settings: SolutionSettings, language: Conversation["language"]): string {
  const file = `"\${CODE_DIR:-.}"/${fileName(settings, language)}`;
  const code = solution(settings, language);
  const command = `timeout 60 ${language === "javascript" ? "node" : "python3"} ${file}`;
  return `cat > ${file} <<'END_OF_SOLUTION'\n${code}END_OF_SOLUTION\n${command}; status=$?; [ $status -eq 124 ] && echo "TimeoutError: stopped after 60 s"; [ -x /home/validate_submission.sh ] && /home/validate_submission.sh "\${SUBMISSION_DIR:-/home/submission}/submission.csv"; echo "exit status $status"`;
}

function codeAnswer({ told, solutions, language }: Conversation, { policy, seed }: SimulatedModel): string {
  const operation = operationIn(told);
  const shown = solutions.at(-1);
  const failed = operation === null ? showsFailure(told) : operation.name === "debug";
  const settings =
    operation === null
      ? shown
        ? revise(policy, shown, failed)
        : draft(policy, numberFrom(told), seed)
      : answerToOperation(operation, solutions, policy, seed, told);
  // Whoever runs the script says where its data are; the tree search refuses one that names where all the others lie, too.
  const [name, code] =
    language === "javascript"
      ? ["javascript", javascriptSolution(settings, null)]
      : ["python", pythonSolution(settings, null)];
  return `${planOf(settings, shown !== undefined && failed)}\n\n\`\`\`${name}\n${code}\`\`\`\n`;
}

function planOf(settings: SolutionSettings, repair: boolean): string {
  if (repair)
    return `The last script failed. I correct the fault and keep its design (level ${settings.level}).`;
  const designs = [
    "A constant prediction from the training targets, as a first valid submission.",
    "A linear model on hashed columns, trained briefly.",
    "A linear model on more hashed columns, trained longer, with adaptive steps.",
    "The linear model with squares, intervals and pairs of words as further columns.",
    "The average of three such models with different random orders.",
  ];
  return `${designs[settings.level]} Every fifth row is held out to measure it.`;
}

const isReview = ({ schema }: Tool) => {
  const properties = (schema?.properties ?? {}) as JsonObject;
  return "is_bug" in properties && "metric" in properties;
};

function reviewOf(told: string): string {
  const metric = reportedMetric(told);
  const failed = showsFailure(told) || metric === null;
  return JSON.stringify({
    is_bug: failed,
    has_csv_submission: /wrote submission\.csv/.test(told),
    summary: failed ? "The script did not end with a usable result." : `Held-out metric ${metric?.value}.`,
    metric: failed ? null : (metric?.value ?? null),
    lower_is_better: metric?.lowerIsBetter ?? true,
  });
}

const asksForCode = (told: string) => /\bcode block\b|```|\b(script|solution|implement|code)\b/i.test(told);

function shortAnswer(told: string): string {
  if (/\btitle\b/i.test(told)) return "Solve the competition";
  if (/\bsummar/i.test(told))
    return "Summary: the data were read, scripts were run, the best submission stands in place.";
  return "This is the simulated model of mlebench. It writes solution scripts; it is not a language model.";
}

/** Different prompts are answered with different drafts, the same one always with the same. */
const numberFrom = (told: string) => createHash("sha256").update(told).digest().readUInt16BE(0) % 64;

const text = (words: string): ReplyPart => ({ type: "text", text: words });
const toolCall = (use: ToolUse): ReplyPart => ({ type: "tool-call", id: "", ...use });
const numbered = (part: ReplyPart, id: string): ReplyPart =>
  part.type === "tool-call" ? { ...part, id } : part;

/** Characters / 3.6, the estimate used wherever there is no tokenizer. */
function usageOf(call: ModelCall, parts: readonly ReplyPart[]): Usage {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 3.6);
  return {
    inputUncached: tokens([call.system, call.messages, call.tools]),
    cacheRead: 0,
    cacheWrite: 0,
    output: tokens(parts),
    reasoning: 0,
  };
}
