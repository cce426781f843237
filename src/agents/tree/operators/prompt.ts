import type { ChatMessage } from "../../kit/model-client.ts";
import { childrenOf, type TreeNode } from "../engine/tree.ts";
import { fileMark } from "../execution/modules.ts";
import { memoryOf, wayWords } from "../memory/memory.ts";
import { shuffled } from "../memory/overview.ts";
import { cutMiddle, trimOutput } from "../memory/tokens.ts";
import type { Action } from "../policies/policy.ts";
import type { TreeSettings } from "../settings/schema.ts";
import type { Workshop } from "./workshop.ts";

const MAX_TASK_TOKENS = 16_000;
const MAX_CODE_TOKENS = 20_000;
/** Of those that are joined in a new root. */
const MAX_PROGRAMS = 4;

export interface PromptFacts {
  step: number;
  /** How many drafts there were before, the baseline left out. */
  draftNumber: number;
  codeOf(node: TreeNode): string;
  outputOf(node: TreeNode): string;
  /** Refine: the block to change, as an ablation found it. */
  block: string | null;
  secondsLeft: number;
  stepsLeft: number;
  timeoutSeconds: number;
}

/** The messages of one operation. What stands in them follows from the journal; times alone differ between two runs. */
export function promptFor(action: Action, shop: Workshop, facts: PromptFacts): ChatMessage[] {
  const { settings } = shop;
  const role = `You are a machine-learning engineer ${settings["agent.obfuscate"] ? "working on a prediction task" : "in a Kaggle competition"}. You answer with a plan of three to five sentences, then the whole program in one code block, and nothing else.`;
  const body = sections(action, shop, facts)
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `# ${title}\n${text}`)
    .join("\n\n");
  return settings["agent.convert_system_to_user"]
    ? [{ role: "user", content: `${role}\n\n${body}` }]
    : [
        { role: "system", content: role },
        { role: "user", content: body },
      ];
}

function sections(action: Action, shop: Workshop, facts: PromptFacts): [string, string][] {
  const { settings, language, tree } = shop;
  const { operator, parent } = action;
  const memory = memoryOf(tree(), settings, operator, parent);
  const fence = (code: string) => fenced(code, language);
  const overview: [string, string] = ["Data", settings["agent.data_preview"] ? shop.overview() : ""];
  const shared: [string, string][] = [
    ["Rules of the program", rules(shop, facts)],
    ["Installed", packages(shop, facts.step)],
  ];
  const task: [string, string] = ["Task", cutMiddle(shop.task.description, MAX_TASK_TOKENS)];
  switch (operator) {
    case "draft":
    case "baseline":
      return [
        ["Operation: draft", draftWords(shop, facts)],
        task,
        ["Earlier attempts", memory],
        ...shared,
        overview,
      ];
    case "debug":
      return [
        ["Operation: debug", "The program below failed. Find the cause and correct it; keep its design."],
        task,
        ["What was tried to correct it", memory],
        ["Program", fence(facts.codeOf(parent))],
        ["What happened", `${trimOutput(facts.outputOf(parent))}\n${parent.why?.message ?? ""}`],
        ...shared,
        overview,
      ];
    case "improve":
      return [
        [
          "Operation: improve",
          `Improve the program below by one single change whose effect can be measured.${complexityCue(settings, childrenOf(tree(), parent.id).length)}`,
        ],
        task,
        ["Earlier attempts", memory],
        ["Program", fence(facts.codeOf(parent))],
        ...shared,
      ];
    case "refine":
      return [
        [
          "Operation: refine",
          `Change one block of the program below and nothing else: ${facts.block ?? "the one that matters most for the metric"}.`,
        ],
        task,
        ["Earlier attempts", memory],
        ["Program", fence(facts.codeOf(parent))],
        ...shared,
      ];
    case "evolve":
      return [
        [
          "Operation: evolve",
          "The branch of the program below stands still. Look at its whole way, and take one step in a direction that it has not tried.",
        ],
        task,
        ["The way of this branch", wayWords(tree(), parent, settings)],
        ["Earlier attempts", memory],
        ["Program", fence(facts.codeOf(parent))],
        ...shared,
      ];
    case "aggregate":
      return [
        [
          "Operation: aggregate",
          "Several programs solve the task in different ways, the best first. Write one that joins what is best in all of them.",
        ],
        task,
        ...action.sources
          .slice(0, MAX_PROGRAMS)
          .map((source): [string, string] => ["Program", fence(facts.codeOf(source))]),
        ...shared,
      ];
    case "crossover":
      return [
        [
          "Operation: crossover",
          "Two programs solve the task in different ways. Write one that joins what is best in both.",
        ],
        task,
        ["Earlier attempts", memory],
        ["Other program", fence(facts.codeOf(action.sources[0]))],
        ["Program", fence(facts.codeOf(parent))],
        ...shared,
      ];
  }
}

function draftWords({ settings, seed }: Workshop, { draftNumber }: PromptFacts): string {
  return [
    `Write a first solution (number ${draftNumber}). Keep it simple: no ensembles, no search for hyper-parameters, no look at the data beyond what is needed.`,
    settings["parts.diversity"] && draftNumber > 1
      ? "Choose another idea than the earlier attempts; keep the way they are evaluated."
      : "",
    familyFor(settings, draftNumber, seed),
    complexityCue(settings, draftNumber - 1),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function rules({ settings, language, measuredBy, metricWords }: Workshop, facts: PromptFacts): string {
  const folds = settings["agent.k_fold_validation"];
  const lines = [
    `One self-contained ${language.name === "python" ? "Python" : "JavaScript (CommonJS or ES module)"} file that runs as it is, without questions. ${language.words}.`,
    "The data are in ./input, read-only; ./working is for files of your own; write ./submission/submission.csv with every id of the sample submission.",
    `Measure on held-out training rows${folds > 1 ? `, with ${folds}-fold cross-validation where that is sensible` : ""}, and print as the last line: METRIC <name> = <value> (lower is better) or (higher is better). ${metricWords}`,
    measuredBy === "hold-out"
      ? "Some of the rows to predict are training rows whose targets were taken away; they are scored to compare programs. Nothing else has to be done for them."
      : "",
    "Never use the targets of rows you predict, nor anything from outside ./input.",
  ];
  if (settings["parts.modules"])
    lines.push(
      `The block may hold several files: before each stands a line \`${fileMark(language, "features")}\`; the last one is run and has the others beside it.`,
    );
  if (settings["parts.time_prompts"])
    lines.push(
      `The program is stopped after ${Math.floor(facts.timeoutSeconds)} s.`,
      `[time left: ${Number.isFinite(facts.secondsLeft) ? `${Math.floor(facts.secondsLeft)} s` : "no limit known"}; steps left: ${facts.stepsLeft}]`,
    );
  return lines.filter((line) => line !== "").join("\n");
}

function packages({ settings, packages: list, seed, hardware }: Workshop, step: number): string {
  const machine = hardware === "" ? "" : `Hardware: ${hardware}.`;
  if (!settings["parts.packages"] || list.length === 0) return machine;
  return `${machine} Packages: ${shuffled(list, seed * 1009 + step).join(", ")}.`.trim();
}

/** The fence is longer than any that the program holds. */
export function fenced(code: string, { fence }: Workshop["language"]): string {
  const longest = [...code.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const marks = "`".repeat(longest + 1);
  return `${marks}${fence}\n${cutMiddle(code, MAX_CODE_TOKENS)}\n${marks}`;
}

/** An ablation before a block is refined: the program again, each part left out in turn. */
export function ablationPrompt(parent: TreeNode, shop: Workshop, facts: PromptFacts): ChatMessage[] {
  const code = fenced(facts.codeOf(parent), shop.language);
  return [
    { role: "system", content: "You are a machine-learning engineer. You answer with one code block." },
    {
      role: "user",
      content: `# Operation: ablation\nWrite a program that measures what each block of the program below is worth (its features, its model, its training), by leaving them out or making them simpler one at a time. Print for each: ABLATION <block> = <metric without it>.\n\n# Program\n${code}\n\n# Rules of the program\n${rules(shop, facts)}`,
    },
  ];
}

/** Families of models a draft may begin with, so that the first ideas are not all one. */
const FAMILIES = [
  "a linear model on carefully made features",
  "gradient-boosted trees",
  "a bagged or randomised forest of trees",
  "nearest neighbours or a kernel method",
  "a neural network",
  "a simple rule or statistic per group, well regularised",
] as const;

function familyFor(settings: TreeSettings, draftNumber: number, seed: number): string {
  if (!settings["parts.families"]) return "";
  const family = FAMILIES[(draftNumber - 1 + seed) % FAMILIES.length];
  return `Begin with this family of models: ${family}, unless the task rules it out.`;
}

/** The more often something was tried, the more may be asked for. */
function complexityCue(settings: TreeSettings, tried: number): string {
  if (!settings["parts.complexity"]) return "";
  if (tried < 2) return " Keep the change simple.";
  return tried < 4
    ? " A change of normal complexity is welcome."
    : " Be ambitious: a complex change is welcome.";
}
