import { z } from "zod";

const Texts = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]));

/** What must be true of a call; otherwise it is answered with an error that says what was not. */
const Expectation = z.strictObject({
  contains: Texts.optional(),
  notContains: Texts.optional(),
  /** Names of tools that must be offered. */
  tools: Texts.optional(),
  role: z.string().optional(),
});
export type Expectation = z.infer<typeof Expectation>;

const Usage = z.strictObject({
  input: z.int().min(0).default(0),
  cacheRead: z.int().min(0).default(0),
  cacheWrite: z.int().min(0).default(0),
  output: z.int().min(0).default(0),
  reasoning: z.int().min(0).default(0),
});

const Reply = z.strictObject({
  text: z.string().optional(),
  thinking: z.string().optional(),
  /** A command for whatever the client calls its shell. */
  shell: z.string().optional(),
  calls: z.array(z.strictObject({ name: z.string(), input: z.unknown().optional() })).optional(),
  stop: z.enum(["end", "stop-sequence", "tools", "length", "context", "refused"]).optional(),
  error: z
    .strictObject({
      status: z.int().min(400).max(599),
      message: z.string().default("a scripted error"),
      retryAfterMs: z.number().min(0).optional(),
    })
    .optional(),
  delayMs: z.number().min(0).optional(),
  disconnectAfter: z.int().min(0).optional(),
});

const Step = z.strictObject({
  expect: Expectation.optional(),
  reply: Reply,
  usage: Usage.optional(),
  /** Answers so many calls in a row; "forever" all that follow. */
  repeat: z.union([z.int().positive(), z.literal("forever")]).default(1),
});
export type Step = z.infer<typeof Step>;

/** The file of a `scripted:` model. */
export const Script = z.strictObject({
  replies: z.array(Step).min(1),
  /** The answer to every call that offers no tools; it uses up no reply. Coding agents ask for titles when they like. */
  aside: z.string().optional(),
});
export type Script = z.infer<typeof Script>;
