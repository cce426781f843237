import { type Driver, exitCodeIn, numberAt, objectAt, partsAt, textAt, toolFacts } from "../driver.ts";

/** What stands behind the output of a command that failed. */
const ENDED = /(?:^|\n)Command exited with code (\d+)\s*$/;

const CONTEXT_TOKENS = 200_000;
const MAX_OUTPUT_TOKENS = 32_000;

/** Chat Completions, streamed, through a provider entry of its own. */
export const pi: Driver = {
  files: ({ url, token, model }) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        gateway: {
          baseUrl: `${url}/v1`,
          apiKey: token,
          api: "openai-completions",
          models: [
            {
              id: model,
              name: model,
              reasoning: false,
              input: ["text"],
              contextWindow: CONTEXT_TOKENS,
              maxTokens: MAX_OUTPUT_TOKENS,
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            },
          ],
        },
      },
    }),
  }),
  env: () => ({ PI_OFFLINE: "1" }),
  arguments: ({ model }, prompt, resume) => [
    ...["-p", "--mode", "json", "--provider", "gateway", "--model", model],
    ...(resume ? ["--continue"] : []),
    prompt,
  ],
  read(line) {
    if (line.type === "tool_execution_end") {
      const failed = line.isError === true;
      const said = String(partsAt(objectAt(line, "result"), "content").at(-1)?.text ?? "");
      const exitCode = failed ? exitCodeIn(said.slice(-200), ENDED) : null;
      return toolFacts([{ name: textAt(line, "toolName"), exitCode, failed }]);
    }
    if (line.type !== "message_end") return {};
    const message = objectAt(line, "message");
    if (message.role !== "assistant") return {};
    const usage = objectAt(message, "usage");
    return {
      turns: 1,
      inputTokens: numberAt(usage, "input") + numberAt(usage, "cacheRead") + numberAt(usage, "cacheWrite"),
      outputTokens: numberAt(usage, "output"),
      ...(message.stopReason === "error" ? { error: String(message.errorMessage ?? "the turn failed") } : {}),
    };
  },
};
