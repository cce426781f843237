import type { ChatMessage, ChatTool } from "../../kit/model-client.ts";
import { cutMiddle, trimOutput } from "../memory/tokens.ts";
import { metered, type Spent } from "./ask.ts";
import type { Workshop } from "./workshop.ts";

export interface Review {
  isBug: boolean;
  hasSubmission: boolean;
  summary: string;
  /** As it came: the original rejects a whole number here. */
  metric: unknown;
  lowerIsBetter: boolean | null;
}

export type ReviewOutcome = { status: "reviewed"; review: Review } | { status: "failed"; message: string };

const TOOL: ChatTool = {
  name: "submit_review",
  description: "Submit a review of what the program printed.",
  parameters: {
    type: "object",
    properties: {
      is_bug: { type: "boolean", description: "Whether the program failed or has a bug." },
      has_csv_submission: { type: "boolean", description: "Whether it wrote submission.csv." },
      summary: {
        type: "string",
        description: "Two or three sentences on the findings, or on how to correct the bug.",
      },
      metric: {
        type: ["number", "null"],
        description: "The value on held-out rows; null where there is none.",
      },
      lower_is_better: { type: "boolean", description: "Whether a lower value of the metric is better." },
    },
    required: ["is_bug", "has_csv_submission", "summary", "metric", "lower_is_better"],
  },
};

/** A second model reads code and output. Whatever it answers is hostile until it is read. */
export async function askForReview(
  shop: Workshop,
  code: string,
  output: string,
  spent: Spent,
): Promise<ReviewOutcome> {
  const messages: ChatMessage[] = [
    { role: "system", content: "You review the output of machine-learning programs. Use the tool." },
    {
      role: "user",
      content: `# Task\n${cutMiddle(shop.task.description, 4000)}\n\n# Program\n\`\`\`\n${cutMiddle(code, 12_000)}\n\`\`\`\n\n# Output\n${trimOutput(output)}`,
    },
  ];
  const answer = await metered(shop.askFeedback, messages, [TOOL], spent, shop.clock.searchSeconds());
  if (answer.status !== "answered") return { status: "failed", message: answer.message };
  const text =
    answer.toolCalls.find((call) => call.function.name === TOOL.name)?.function.arguments ??
    jsonIn(answer.text);
  if (text === undefined) return { status: "failed", message: "the reviewer did not use its tool" };
  try {
    return { status: "reviewed", review: readReview(JSON.parse(text)) };
  } catch {
    return { status: "failed", message: "the reviewer's answer is not JSON" };
  }
}

/** From the first brace to the last. */
function jsonIn(text: string): string | undefined {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  return from === -1 || to < from ? undefined : text.slice(from, to + 1);
}

function readReview(value: unknown): Review {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return {
    isBug: given.is_bug !== false,
    hasSubmission: given.has_csv_submission !== false,
    summary: typeof given.summary === "string" ? given.summary.slice(0, 2000) : "",
    metric: given.metric ?? null,
    lowerIsBetter: typeof given.lower_is_better === "boolean" ? given.lower_is_better : null,
  };
}
