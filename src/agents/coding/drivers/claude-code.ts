import {
  type Driver,
  endedTool,
  exitCodeIn,
  numberAt,
  objectAt,
  partsAt,
  startTool,
  textAt,
  toolFacts,
} from "../driver.ts";

/** What stands before the output of a command that failed. */
const ENDED = /^(?:Error: )?Exit code (\d+)\b/;

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
  read(line, soFar) {
    const { previous } = soFar;
    const message = objectAt(line, "message");
    if (line.type === "assistant") {
      // Each part of a reply has a line of its own.
      const isSame = previous.type === "assistant" && objectAt(previous, "message").id === message.id;
      for (const part of partsAt(message, "content"))
        if (part.type === "tool_use") startTool(soFar, part.id, textAt(part, "name"));
      return { turns: isSame ? 0 : 1 };
    }
    if (line.type === "user")
      return toolFacts(
        partsAt(message, "content")
          .filter(({ type }) => type === "tool_result")
          .map((part) => ({
            name: endedTool(soFar, part.tool_use_id),
            exitCode: part.is_error === true ? exitCodeIn(wordsOf(part.content), ENDED) : null,
            failed: part.is_error === true,
          })),
      );
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

/** A result is a text, or a list of parts. */
function wordsOf(content: unknown): string {
  return typeof content === "string" ? content : textAt(partsAt({ content }, "content")[0] ?? {}, "text");
}
