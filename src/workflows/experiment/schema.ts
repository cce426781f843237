import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
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
  competitionVersion: z.enum(["v1", "v2"]).optional(),
});
export type Options = z.infer<typeof Options>;

const Variant = Options.extend({ name: Name });

/** An experiment's file: a matrix of agents, budgets and settings, over the same competitions and seeds. */
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
    budgets: z.array(Variant).min(1).optional(),
    settings: z.array(Variant).min(1).optional(),
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
  const { defaults, agents, budgets, settings, agentsDir } = parsed.data;
  return {
    ok: true,
    experiment: {
      ...parsed.data,
      ...(agentsDir === undefined ? {} : { agentsDir: path.resolve(path.dirname(file), agentsDir) }),
      defaults: located(defaults),
      agents: agents.map((agent) => (typeof agent === "string" ? agent : located(agent))),
      ...(budgets === undefined ? {} : { budgets: budgets.map(located) }),
      ...(settings === undefined ? {} : { settings: settings.map(located) }),
    },
  };
}

function withPaths<T extends Options>(options: T, folder: string): T {
  const { materials, root } = options;
  return {
    ...options,
    ...(materials === undefined ? {} : { materials: path.resolve(folder, materials) }),
    ...(root === undefined ? {} : { root: path.resolve(folder, root) }),
  };
}
