import { type Driver, exitCodeAt, numberAt, objectAt, textAt, toolFacts } from "../driver.ts";

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
    // Without a title it asks the model for one, which it counts nowhere.
    ...(resume ? ["--continue"] : ["--title", "mlebench"]),
    prompt,
  ],
  read(line, soFar) {
    if (line.type === "error")
      return { error: JSON.stringify(line.error ?? "the program reports an error").slice(0, 500) };
    // Its start is told before the model has answered, its end only after its tools: a turn begins with what is between.
    const turn = soFar.previous.type === "step_start" ? { turns: 1 } : {};
    if (line.type === "tool_use") {
      const state = objectAt(line, "part", "state");
      const exitCode = exitCodeAt(objectAt(state, "metadata"), "exit");
      const name = textAt(objectAt(line, "part"), "tool");
      return { ...turn, ...toolFacts([{ name, exitCode, failed: state.status === "error" }]) };
    }
    if (line.type !== "step_finish") return turn;
    const tokens = objectAt(line, "part", "tokens");
    const cache = objectAt(tokens, "cache");
    return {
      ...turn,
      inputTokens: numberAt(tokens, "input") + numberAt(cache, "read") + numberAt(cache, "write"),
      outputTokens: numberAt(tokens, "output") + numberAt(tokens, "reasoning"),
    };
  },
};
