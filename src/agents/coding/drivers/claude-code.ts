import { type Driver, numberAt, objectAt } from "../driver.ts";

/** Anthropic Messages, streamed. As root it refuses to skip permissions unless told that it is in a sandbox. */
export const claudeCode: Driver = {
  files: () => ({}),
  env: ({ url, token }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),
  arguments: ({ model }, prompt, resume) => [
    ...["-p", prompt, "--model", model, "--dangerously-skip-permissions"],
    ...["--output-format", "stream-json", "--verbose"],
    ...(resume ? ["--continue"] : []),
  ],
  resumes: true,
  read(line) {
    if (line.type === "assistant") {
      const content = objectAt(line, "message").content;
      const uses = Array.isArray(content) ? content.filter((part) => objectAt(part).type === "tool_use") : [];
      return { turns: 1, toolCalls: uses.length };
    }
    if (line.type !== "result") return {};
    const usage = objectAt(line, "usage");
    return {
      inputTokens:
        numberAt(usage, "input_tokens") +
        numberAt(usage, "cache_read_input_tokens") +
        numberAt(usage, "cache_creation_input_tokens"),
      outputTokens: numberAt(usage, "output_tokens"),
      ...(line.is_error === true ? { error: String(line.result ?? "the program reports an error") } : {}),
    };
  },
};
