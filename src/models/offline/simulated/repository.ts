import type { Tool } from "../../call.ts";
import { type Conversation, showsFailure } from "./conversation.ts";
import type { Hands, ToolUse } from "./hands.ts";
import type { Policy } from "./policy.ts";

export interface RepositoryStep {
  words: string;
  use: ToolUse;
}

/** What an option of a repository's program is given, by what it is called. */
const VALUES: [RegExp, string][] = [
  [/^--(train|training|train-?file|fit)$/, `"\${DATA_DIR:-/home/data}/train.csv"`],
  [/^--(test|predict|test-?file|input)$/, `"\${DATA_DIR:-/home/data}/test.csv"`],
  [/^--(sample|template|sample-?submission)$/, `"\${DATA_DIR:-/home/data}/sample_submission.csv"`],
  [/^--(out|output|submission|result)$/, `"\${SUBMISSION_DIR:-/home/submission}/submission.csv"`],
];

/**
 * How the simulated model works with a repository: one look, then it copies the repository, starts the program that the
 * map names with the competition's files, and says what came of it. `clumsy` leaves out an option until it is told of an
 * earlier failure; `stubborn` looks again and again.
 */
export function repositoryStep(
  tools: readonly Tool[],
  { told, latest, toolsUsed, lastTool }: Conversation,
  hands: Hands,
  policy: Policy,
): RepositoryStep | null {
  const search = tools.find(({ name }) => name === "repo_search");
  const finish = tools.find(({ name }) => name === "finish");
  if (!search || !finish || !hands.run) return null;
  const end = (solved: "yes" | "no", message: string): RepositoryStep => ({
    words: message,
    use: { name: finish.name, kind: "function", input: JSON.stringify({ solved, message }) },
  });
  if (toolsUsed === 0 || policy === "stubborn") {
    const query = /^#\s+(.+)$/m.exec(told)?.[1] ?? "train predict";
    const words = "I look for the parts that do what the task asks for, then I copy and run them.";
    return {
      words,
      use: { name: search.name, kind: "function", input: JSON.stringify({ query: query.slice(0, 200) }) },
    };
  }
  if (lastTool === search.name) {
    const start = findStart(told, policy === "clumsy" && !told.includes("Earlier attempts failed"));
    if (start === null)
      return end("no", "The repository has no program whose options fit the files of the task.");
    return { words: "I copy the repository and run its program on the data.", use: hands.run(start) };
  }
  if (showsFailure(latest) || /exit status [1-9]/.test(latest)) {
    const line = latest.split("\n").find((one) => /error|exit status/i.test(one)) ?? "it failed";
    return end("no", `The program failed: ${line.slice(0, 200)}`);
  }
  return end("yes", "The adapted program wrote the submission.");
}

/** The command for the first program of the map whose options we know what to do with. */
function findStart(told: string, forgetful: boolean): string | null {
  const root = /The repository is in (\S+)\. /.exec(told)?.[1];
  if (!root) return null;
  for (const [, file, rest] of told.matchAll(/^Start: (\S+)((?: --?[\w-]+)*)$/gm)) {
    const options = rest
      .trim()
      .split(" ")
      .flatMap((name) => {
        const value = VALUES.find(([pattern]) => pattern.test(name))?.[1];
        return value ? [`${name} ${value}`] : [];
      });
    if (!options.some((option) => /submission\.csv/.test(option) && /^--(out|sub|res)/.test(option)))
      continue;
    const given = forgetful ? options.slice(1) : options;
    const runner = /\.(js|mjs|cjs)$/.test(file) ? "node" : /\.r$/i.test(file) ? "Rscript" : "python3";
    const place = `"\${CODE_DIR:-.}"/adapted`;
    return `rm -rf ${place}; mkdir -p ${place}; cp -r ${root}/. ${place}/; cd ${place} && timeout 120 ${runner} ${file} ${given.join(" ")}; echo "exit status $?"`;
  }
  return null;
}

/** Marks for a repository that an agent asks to have rated; null for any other request. By shared words, no more. */
export function ratingOf(told: string): string | null {
  if (!told.includes("Rate how useful this repository is for the task")) return null;
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{5,}/g) ?? []);
  const task = words(/<task>([\s\S]*?)<\/task>/.exec(told)?.[1] ?? "");
  const repository = words(/<repository>([\s\S]*?)<\/repository>/.exec(told)?.[1] ?? "");
  const shared = [...task].filter((word) => repository.has(word)).length;
  const starts = /^Start: \S+ --/m.test(told) ? 1 : 0;
  return JSON.stringify({
    results: starts,
    algorithm: shared > 5 ? 1 : 0,
    domain: shared > 3 ? 1 : 0,
    data_processing: starts,
    model_quality: 0,
    readability: 1,
    structure: 1,
    extensibility: 0,
    overall: Math.min(10, 1 + shared),
    reason: `${shared} words in common; rated by a simulated model`,
  });
}

/** Terms to look for repositories with; null for any other request. The first long words of the task, no more. */
export function termsOf(told: string): string | null {
  if (!told.includes("Which repositories would help with this task?")) return null;
  const words =
    /<task>([\s\S]*?)<\/task>/
      .exec(told)?.[1]
      .toLowerCase()
      .match(/[a-z]{6,}/g) ?? [];
  return JSON.stringify([...new Set(words)].slice(0, 6));
}
