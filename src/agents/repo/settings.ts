import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { nearestName } from "../../wording/nearest.ts";

const Count = z.coerce.number().int().positive();

/** What the agent may be told, on its command line or under `parameters` of a RepoMaster file. */
const RepoParameters = z.object({
  max_repo: Count.optional(),
  retry: Count.optional(),
  max_turns: Count.optional(),
  context_tokens: Count.optional(),
  map_tokens: Count.optional(),
  command_seconds: Count.optional(),
  fallback: z.enum(["baseline", "tree", "assistant"]).optional(),
  use_venv: z.union([z.boolean(), z.stringbool()]).optional(),
});
type RepoParameters = z.infer<typeof RepoParameters>;

/** Only a definition may say it: whoever reads a table has to see by the agent's name that the filter was off. */
const SOLUTIONS = "allow_competition_solutions";
/** Arguments of RepoMaster that are decided elsewhere here: a trial is one task in one sandbox. */
const OF_THE_ORIGINAL = ["parallel", "parallel_workers", "root_path", "output_format"];

/** RepoMaster's own file, as far as it means anything in a sandbox: an address on the network does not. */
const RepoMasterFile = z.looseObject({
  repo: z
    .looseObject({ type: z.string().optional(), path: z.string().optional(), url: z.string().optional() })
    .optional(),
  sources: z.array(z.looseObject({ type: z.string(), path: z.string().optional() })).optional(),
  task_description: z.string().optional(),
  task_prompt: z.string().optional(),
  input_data: z.array(z.looseObject({ path: z.string(), description: z.string().optional() })).optional(),
  parameters: z
    .looseObject(RepoParameters.shape)
    .refine(
      (given) => !(SOLUTIONS in given),
      `${SOLUTIONS} is not for a file: run the agent repo/mle-bench-r`,
    )
    .optional(),
});
type RepoMasterFile = z.infer<typeof RepoMasterFile>;

export interface RepoSettings {
  maxRepositories: number;
  /** Attempts on one repository. */
  attempts: number;
  maxTurns: number;
  contextTokens: number;
  mapTokens: number;
  commandSeconds: number;
  /** What takes over when no repository has helped. */
  fallback: "baseline" | "tree" | "assistant";
  /** Whether each repository gets an environment of its own. */
  useVenv: boolean;
  allowSolutions: boolean;
  file: RepoMasterFile | null;
}

export type SettingsOutcome =
  /** `notes`: what was asked for and has no effect here, in sentences. */
  { status: "read"; settings: RepoSettings; notes: string[] } | { status: "wrong"; message: string };

const USUAL = {
  max_repo: 5,
  retry: 2,
  max_turns: 40,
  context_tokens: 80_000,
  map_tokens: 8000,
  command_seconds: 1800,
};
const MAX_FILE_BYTES = 1_000_000;

/** A RepoMaster file's `parameters` over the definition's own arguments over what is usual. A file that is named must be there and be right. */
export function readSettings(args: readonly string[], materials: string): SettingsOutcome {
  const names = Object.keys(RepoParameters.shape);
  const { values, unknown } = readArguments(args, [...names, SOLUTIONS, "config", ...OF_THE_ORIGINAL]);
  if (unknown !== null) return { status: "wrong", message: unknown };
  const named = values.config === undefined ? null : path.resolve(materials, values.config);
  const place =
    named ??
    ["repo.yaml", "repomaster.yaml"]
      .map((name) => path.join(materials, name))
      .find((file) => fs.existsSync(file));
  let file: RepoMasterFile | null = null;
  if (place) {
    const read = readFile(place);
    if (typeof read === "string") return { status: "wrong", message: `${place}: ${read}` };
    file = read;
  }
  const own = RepoParameters.safeParse(
    Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))),
  );
  if (!own.success)
    return {
      status: "wrong",
      message: own.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "),
    };
  const given = { ...own.data, ...file?.parameters };
  const all = withUsual(given);
  const passedOver = [
    ...OF_THE_ORIGINAL.filter((name) => values[name] !== undefined),
    ...Object.keys(file?.parameters ?? {}).filter((name) => !names.includes(name)),
  ];
  return {
    status: "read",
    notes: [
      ...(passedOver.length > 0 ? [`without effect here: ${passedOver.join(", ")}`] : []),
      ...addressesIn(file).map((url) => `not fetched, for a sandbox has no network: ${url.slice(0, 200)}`),
    ],
    settings: {
      maxRepositories: all.max_repo,
      attempts: all.retry,
      maxTurns: all.max_turns,
      contextTokens: all.context_tokens,
      mapTokens: all.map_tokens,
      commandSeconds: all.command_seconds,
      fallback: given.fallback ?? "baseline",
      useVenv: given.use_venv ?? true,
      allowSolutions: /^(true|yes|1)$/i.test(values[SOLUTIONS] ?? "no"),
      file,
    },
  };
}

/** `--name value`, `--name=value` and `--name`; a name that nobody knows is a sentence with the one that was probably meant. */
function readArguments(args: readonly string[], known: readonly string[]) {
  const values: Partial<Record<string, string>> = {};
  for (let at = 0; at < args.length; at++) {
    const [, given, inside] = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(args[at]) ?? [];
    const name = (given ?? args[at]).replaceAll("-", "_");
    if (given === undefined || !known.includes(name)) {
      const meant = nearestName(name, known);
      const hint = meant === null ? `there are ${known.join(", ")}` : `did you mean ${meant}?`;
      return { values, unknown: `"${args[at].slice(0, 80)}" is not a setting of this agent; ${hint}` };
    }
    const next = args[at + 1];
    const follows = inside === undefined && next !== undefined && !next.startsWith("--");
    values[name] = inside ?? (follows ? next : "true");
    if (follows) at++;
  }
  return { values, unknown: null };
}

/** Repositories that the file names by an address alone. */
function addressesIn(file: RepoMasterFile | null): string[] {
  const places = [file?.repo, ...(file?.sources ?? [])];
  return places.flatMap((place) =>
    place !== undefined && place.path === undefined && typeof place.url === "string" ? [place.url] : [],
  );
}

function withUsual(given: RepoParameters): typeof USUAL {
  const names = Object.keys(USUAL) as (keyof typeof USUAL)[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? USUAL[name]])) as typeof USUAL;
}

function readFile(place: string): RepoMasterFile | string {
  try {
    if (fs.statSync(place).size > MAX_FILE_BYTES) return "is over 1 MB";
    const parsed = RepoMasterFile.safeParse(parse(fs.readFileSync(place, "utf8"), { maxAliasCount: 20 }));
    if (parsed.success) return parsed.data;
    return parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  } catch (error) {
    return (error as Error).message;
  }
}
