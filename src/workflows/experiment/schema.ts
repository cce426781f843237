import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { readUntil, UNTIL_HINT } from "../../agents/coding/until.ts";
import { SandboxKind } from "../../sandbox/kind.ts";
import { parseNetwork } from "../../trials/trial/schema.ts";
import { DURATION_HINT, parseDuration } from "../../wording/durations.ts";
import { parseSize, SIZE_HINT } from "../../wording/sizes.ts";

const Duration = z.string().refine((text) => parseDuration(text) !== null, DURATION_HINT);
const Size = z.string().refine((text) => parseSize(text) !== null, SIZE_HINT);
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, "letters, digits, dots and hyphens only");

/** What may differ from cell to cell: options of `mlebench run`, and checked by it as well. */
const Options = z.strictObject({
  time: Duration.optional(),
  grace: Duration.optional(),
  memory: Size.optional(),
  disk: Size.optional(),
  cpus: z.number().positive().optional(),
  gpus: z.int().min(0).optional(),
  processes: z.int().min(1).optional(),
  workers: z.int().min(1).optional(),
  sandbox: SandboxKind.optional(),
  image: z.string().min(1).optional(),
  root: z.string().min(1).optional(),
  network: z
    .string()
    .refine((text) => parseNetwork(text) !== null, "write none, open, or allow-list=host,host")
    .optional(),
  materials: z.string().min(1).optional(),
  /** Other names, words and columns; with a model's name the text is in its words. */
  obfuscate: z.union([z.boolean(), z.string().min(1)]).optional(),
  competitionVersion: z.enum(["v1", "v2"]).optional(),
  /** One model, or several by the role they play. */
  models: z
    .union([
      z
        .string()
        .min(1)
        .transform((model) => ({ default: model })),
      z.record(z.string().min(1), z.string().min(1)),
    ])
    .optional(),
  modelsFile: z.string().min(1).optional(),
  maxCost: z.number().positive().optional(),
  maxTokens: z.int().positive().optional(),
  maxCalls: z.int().positive().optional(),
  /** How long an agent that stops early is continued. */
  until: z
    .string()
    .refine((text) => readUntil(text) !== null, `write ${UNTIL_HINT}`)
    .optional(),
});
export type Options = z.infer<typeof Options>;

const Variant = Options.extend({ name: Name });

/** A model is a factor by its name alone; with a name of its own where the models' names would not do for a folder. */
const ModelVariant = z.union([z.string().min(1), Variant.required({ models: true })]);

/** An experiment's file: a matrix of agents, models, budgets and settings, over the same competitions and seeds. */
const Experiment = z
  .strictObject({
    name: Name,
    competitions: z.array(z.string().min(1)).min(1).optional(),
    split: z.string().min(1).optional(),
    seeds: z.int().min(1).default(3),
    /** Options for every cell; an agent's, a budget's and a setting's own come on top, in this order. */
    defaults: Options.default({}),
    agentsDir: z.string().min(1).optional(),
    agents: z.array(z.union([z.string().min(1), Variant.partial().extend({ id: z.string().min(1) })])).min(1),
    models: z.array(ModelVariant).min(1).optional(),
    budgets: z.array(Variant).min(1).optional(),
    settings: z.array(Variant).min(1).optional(),
    /** The agent, model, budget or setting that all others of its kind are compared with; without it, every pair is. */
    against: Name.optional(),
    sign: z.boolean().default(false),
  })
  .refine(({ competitions, split }) => (competitions === undefined) !== (split === undefined), {
    error: "name either competitions or a split",
  });
export type Experiment = z.infer<typeof Experiment>;

export type ExperimentOutcome = { ok: true; experiment: Experiment } | { ok: false; message: string };

/** Reads and checks an experiment's file. Its paths are as seen from the file, and become absolute. */
export function readExperiment(file: string): ExperimentOutcome {
  let value: unknown;
  try {
    value = parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${message.split("\n")[0]})`;
    return { ok: false, message: `${file} ${why}.` };
  }
  const parsed = Experiment.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `${file} is not an experiment (${issue.path.join(".") || "top level"}: ${issue.message}).`;
    return { ok: false, message };
  }
  const located = <T extends Options>(options: T): T => withPaths(options, path.dirname(file));
  const { defaults, agents, models, budgets, settings, agentsDir } = parsed.data;
  return {
    ok: true,
    experiment: {
      ...parsed.data,
      ...(agentsDir === undefined ? {} : { agentsDir: path.resolve(path.dirname(file), agentsDir) }),
      defaults: located(defaults),
      agents: agents.map((agent) => (typeof agent === "string" ? agent : located(agent))),
      ...(models === undefined
        ? {}
        : { models: models.map((model) => (typeof model === "string" ? model : located(model))) }),
      ...(budgets === undefined ? {} : { budgets: budgets.map(located) }),
      ...(settings === undefined ? {} : { settings: settings.map(located) }),
    },
  };
}

/** Scripts and recordings lie where the file says, seen from the file. */
function locatedModel(name: string, folder: string): string {
  return name.replace(
    /^(scripted|recorded):(.+)$/s,
    (_, kind, file) => `${kind}:${path.resolve(folder, file)}`,
  );
}

function locatedModels(models: Record<string, string>, folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, name]) => [role, locatedModel(name, folder)]));
}

function withPaths<T extends Options>(options: T, folder: string): T {
  const { materials, root, modelsFile, models, obfuscate } = options;
  return {
    ...options,
    ...(materials === undefined ? {} : { materials: path.resolve(folder, materials) }),
    ...(typeof obfuscate === "string" ? { obfuscate: locatedModel(obfuscate, folder) } : {}),
    ...(root === undefined ? {} : { root: path.resolve(folder, root) }),
    ...(modelsFile === undefined ? {} : { modelsFile: path.resolve(folder, modelsFile) }),
    ...(models === undefined ? {} : { models: locatedModels(models, folder) }),
  };
}
