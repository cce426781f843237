import { type Driver, numberAt, objectAt } from "../driver.ts";

/** Gemini's own protocol. Without `selectedType` it ends at once: "Invalid auth method selected." */
export const geminiCli: Driver = {
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
    }),
  }),
  env: ({ url, token }) => ({
    GEMINI_API_KEY: token,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  arguments: ({ model }, prompt) => ["-p", prompt, "-m", model, "--yolo", "--output-format", "stream-json"],
  resumes: false,
  read(line) {
    if (line.type === "tool_use") return { toolCalls: 1 };
    if (line.type === "tool_result") return { failedCommands: line.status === "error" ? 1 : 0 };
    if (line.type === "message" && line.role === "assistant" && line.delta !== true) return { turns: 1 };
    if (line.type === "error") return { error: String(line.message ?? "the program reports an error") };
    if (line.type !== "result") return {};
    const stats = objectAt(line, "stats");
    return { inputTokens: numberAt(stats, "input_tokens"), outputTokens: numberAt(stats, "output_tokens") };
  },
};
