import { type Driver, numberAt, objectAt } from "../driver.ts";

/** OpenAI Responses, streamed, through a provider entry of its own. */
export const codex: Driver = {
  files: ({ url, model }) => ({
    ".codex/config.toml": `model = ${JSON.stringify(model)}
model_provider = "gateway"
[model_providers.gateway]
name = "gateway"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`,
  }),
  env: ({ token }) => ({ OPENAI_API_KEY: token }),
  arguments: (_, prompt, resume) => [
    ...(resume ? ["exec", "resume", "--last"] : ["exec"]),
    ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
  ],
  resumes: true,
  read(line) {
    if (line.type === "turn.completed") {
      const usage = objectAt(line, "usage");
      return { inputTokens: numberAt(usage, "input_tokens"), outputTokens: numberAt(usage, "output_tokens") };
    }
    if (line.type === "turn.failed" || line.type === "error")
      return { error: String(objectAt(line, "error").message ?? line.message ?? "the turn failed") };
    if (line.type !== "item.completed") return {};
    const item = objectAt(line, "item");
    if (item.type === "agent_message") return { turns: 1 };
    if (item.type !== "command_execution") return {};
    return { toolCalls: 1, failedCommands: numberAt(item, "exit_code") === 0 ? 0 : 1 };
  },
};
