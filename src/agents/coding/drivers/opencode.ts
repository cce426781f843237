import { type Driver, numberAt, objectAt } from "../driver.ts";

/** Chat Completions, streamed, through a provider entry in its home. */
export const opencode: Driver = {
  files: ({ url, token, model }) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      provider: {
        gateway: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: token },
          models: { [model]: { name: model } },
        },
      },
      permission: { "*": "allow" },
      autoupdate: false,
      share: "disabled",
    }),
  }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  arguments: ({ model }, prompt, resume) => [
    ...["run", "--format", "json", "-m", `gateway/${model}`],
    ...(resume ? ["--continue"] : []),
    prompt,
  ],
  resumes: true,
  read(line) {
    if (line.type === "tool_use") {
      const failed = objectAt(line, "part", "state").status === "error";
      return { toolCalls: 1, failedCommands: failed ? 1 : 0 };
    }
    if (line.type === "error")
      return { error: JSON.stringify(line.error ?? "the program reports an error").slice(0, 500) };
    if (line.type !== "step_finish") return {};
    const tokens = objectAt(line, "part", "tokens");
    const cache = objectAt(tokens, "cache");
    return {
      turns: 1,
      inputTokens: numberAt(tokens, "input") + numberAt(cache, "read") + numberAt(cache, "write"),
      outputTokens: numberAt(tokens, "output") + numberAt(tokens, "reasoning"),
    };
  },
};
