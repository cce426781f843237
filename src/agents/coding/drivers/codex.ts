import { type Driver, exitCodeAt, numberAt, objectAt, toolFacts, turnAt } from "../driver.ts";

/** A reply is words, thoughts and the start of tools; what tools came to follows it. */
const isModels = (line: Record<string, unknown>) => {
  const { type } = objectAt(line, "item");
  const isWords = type === "agent_message" || type === "reasoning";
  return line.type === (isWords ? "item.completed" : "item.started");
};

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
  read(line, soFar) {
    const turn = turnAt(isModels, line, soFar);
    if (line.type === "turn.completed") {
      const usage = objectAt(line, "usage");
      const [input, output] = [numberAt(usage, "input_tokens"), numberAt(usage, "output_tokens")];
      return { conversation: { input, output } };
    }
    if (line.type === "turn.failed" || line.type === "error")
      return { error: String(objectAt(line, "error").message ?? line.message ?? "the turn failed") };
    const item = objectAt(line, "item");
    if (line.type !== "item.completed" || item.type !== "command_execution") return turn;
    const exitCode = exitCodeAt(item, "exit_code");
    return toolFacts([{ name: "shell", exitCode, failed: exitCode === null }]);
  },
};
