import { z } from "zod";
import { ROLE } from "../../models/names.ts";
import { isImageName, isPlainVariableName } from "../../sandbox/host-environment.ts";
import { SandboxKind } from "../../sandbox/kind.ts";
import { DURATION_HINT, LONGEST_SECONDS, parseDuration } from "../../wording/durations.ts";
import { nearestName } from "../../wording/nearest.ts";
import { parseSize, SIZE_HINT } from "../../wording/sizes.ts";
import { readProgramName } from "../coding/installed.ts";
import { CODING_PROGRAM_IDS } from "../coding/programs.ts";

/** YAML's integers arrive as bigint, so that `1` and `1.0` stay what they were. */
const Amount = z.union([z.bigint(), z.number()]).transform(Number).pipe(z.number().positive());
const Whole = Amount.pipe(z.int());

const Duration = z.union([Amount.pipe(z.number().max(LONGEST_SECONDS)), written(parseDuration)], {
  error: plainHint(DURATION_HINT),
});
const Size = z.union([Whole, written(parseSize)], { error: plainHint(SIZE_HINT) });

const HOST = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;
const Hosts = z.array(z.string().regex(HOST, "a host such as api.example.org, *.example.org or host:8443"));

export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly YamlValue[]
  | { [key: string]: YamlValue };

const RoleName = z.string().regex(ROLE);

const Values = z.record(
  z.string(),
  z.custom<YamlValue>(() => true),
);

/**
 * One entry of a `config.yaml`. `start`, `dockerfile`, `kwargs`, `kwargs_type`, `env_vars` and `privileged` are the
 * original's, the rest is ours. Unknown fields are let through, as the original does; `agents check` names them.
 */
export const AgentEntry = z
  .looseObject({
    start: z.string().optional(),
    dockerfile: z.string().optional(),
    kwargs: Values.nullish().transform((value) => value ?? {}),
    kwargs_type: z.enum(["argparse", "omegaconf"]).nullish(),
    env_vars: Values.nullish().transform((value) => value ?? {}),
    privileged: z.boolean().default(false),
    description: z.string().optional(),
    command: z.array(z.string()).min(1).optional(),
    /** `node`: the command is a script for the Node that runs the harness. */
    runtime: z.literal("node").optional(),
    /** A coding agent that `agents install` has put into the user's cache, of an exact version or not; mounted read-only. */
    program: z
      .string()
      .refine((name) => readProgramName(name) !== null, {
        error: `one of ${CODING_PROGRAM_IDS.join(", ")}, or an exact version of it such as codex@0.169.0`,
      })
      .optional(),
    image: z
      .string()
      .refine(isImageName, {
        error: ({ input }) => `${JSON.stringify(input)} cannot name an image: write name:tag.`,
      })
      .optional(),
    writable_root: z.boolean().optional(),
    sandbox: SandboxKind.nullish(),
    /** One model, or several by role. */
    models: z
      .union([z.string().min(1), z.record(RoleName, z.string().min(1))], {
        error: "a model's name, or names by role; a role is a word, such as code or feedback",
      })
      .optional(),
    /** It can do nothing without a model: a run that names none is refused before anything starts. */
    needs_model: z.boolean().optional(),
    limits: z
      .strictObject({
        time: Duration.optional(),
        memory: Size.optional(),
        cpus: Amount.optional(),
        processes: Whole.optional(),
        disk: Size.optional(),
        steps: Whole.optional(),
      })
      .default({}),
    network: z
      .union([z.enum(["none", "open"]), z.strictObject({ "allow-list": Hosts.min(1) })], {
        error: "none, open, or allow-list: [host, …]",
      })
      .default("none"),
  })
  .superRefine((entry, context) => {
    for (const name of Object.keys(entry.env_vars))
      if (!isPlainVariableName(name))
        context.addIssue({
          code: "custom",
          path: ["env_vars"],
          message: `${JSON.stringify(name)} cannot name a variable: letters, digits and _, not beginning with a digit.`,
        });
    if (entry.command === undefined && entry.start === undefined && entry.image === undefined)
      context.addIssue(
        ["It needs a command, an image, or a start script", ...unknownFields(entry)].join("; "),
      );
    if (entry.command !== undefined && entry.start !== undefined)
      context.addIssue("It has both a command and a start script; which one starts it?");
    if (entry.runtime !== undefined && entry.command === undefined)
      context.addIssue("With `runtime: node` it needs a command: the script and its arguments.");
    if (entry.kwargs_type == null && Object.keys(entry.kwargs).length > 0)
      context.addIssue("It has kwargs, but no kwargs_type (argparse or omegaconf) to pass them by.");
  });
export type AgentEntry = z.infer<typeof AgentEntry>;

const KNOWN = [...Object.keys(AgentEntry.shape), "extends"];

/** Fields that mean nothing, most likely misspelt; in words. */
export function unknownFields(entry: object): string[] {
  return Object.keys(entry)
    .filter((name) => !KNOWN.includes(name))
    .map((name) => {
      const meant = nearestName(name, KNOWN);
      return `nothing reads its field "${name}"${meant === null ? "" : `; did you mean "${meant}"?`}`;
    });
}

function written(parse: (text: string) => number | null) {
  return z.string().transform((text, context) => {
    const amount = parse(text);
    if (amount !== null) return amount;
    context.addIssue("this cannot be read");
    return z.NEVER;
  });
}

/** As the end of a sentence that another begins. */
function plainHint(hint: string): string {
  return hint.charAt(0).toLowerCase() + hint.slice(1).replace(/\.$/, "");
}
