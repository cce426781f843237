import {
  type Driver,
  endedTool,
  exitCodeIn,
  numberAt,
  objectAt,
  startTool,
  textAt,
  toolFacts,
  turnAt,
} from "../driver.ts";

/** What stands behind the output of a command that failed, which counts as a tool that succeeded. */
const ENDED = /(?:^|\n)Command exited with code: (\d+)\s*$/;

/** What it says comes in pieces, and is followed by the tools of the same reply. */
const isModels = ({ type, role }: Record<string, unknown>) =>
  type === "tool_use" || (type === "message" && role === "assistant");

/** Its own work and its documented helpers, which else ask for models by name that this run does not have. */
const SCOPES = ["core", "codebase_investigator", "generalist", "cli_help"];

/** Gemini's own protocol. Without `selectedType` it ends at once: "Invalid auth method selected." */
export const geminiCli: Driver = {
  files: ({ model }) => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
      modelConfigs: {
        customOverrides: SCOPES.map((overrideScope) => ({
          match: { overrideScope },
          modelConfig: { model },
        })),
      },
    }),
  }),
  env: ({ url, token }) => ({
    GEMINI_API_KEY: token,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  arguments: ({ model }, prompt, resume) => [
    ...["-p", prompt, "-m", model, "--yolo", "--output-format", "stream-json"],
    ...(resume ? ["--resume", "latest"] : []),
  ],
  read(line, soFar) {
    const turn = turnAt(isModels, line, soFar);
    if (line.type === "tool_use") {
      startTool(soFar, line.tool_id, textAt(line, "tool_name"));
      return turn;
    }
    if (line.type === "tool_result") {
      const exitCode = exitCodeIn(String(line.output ?? "").slice(-200), ENDED);
      return toolFacts([{ name: endedTool(soFar, line.tool_id), exitCode, failed: line.status === "error" }]);
    }
    if (line.type === "message") return turn;
    if (line.type === "error") return { error: String(line.message ?? "the program reports an error") };
    if (line.type !== "result") return {};
    const stats = objectAt(line, "stats");
    return { inputTokens: numberAt(stats, "input_tokens"), outputTokens: numberAt(stats, "output_tokens") };
  },
};
