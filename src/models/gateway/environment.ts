import { roleVariable } from "../names.ts";
import type { GatewayModel } from "./options.ts";

/** Where an agent finds its models inside the sandbox. */
export const MODEL_PORT = 5100;

/** Everything by which an agent, or a program it starts, finds the gateway. */
export function modelEnvironment(
  models: readonly Pick<GatewayModel, "role" | "id">[],
  token: string,
  port: number = MODEL_PORT,
): Record<string, string> {
  const main = models.find(({ role }) => role === "default") ?? models[0];
  if (main === undefined) return {};
  const url = `http://127.0.0.1:${port}`;
  const roles = Object.fromEntries(models.map(({ role, id }) => [roleVariable(role), id]));
  return {
    MLEBENCH_MODEL: main.id,
    MLEBENCH_MODEL_URL: url,
    MLEBENCH_MODEL_TOKEN: token,
    ...(models.length > 1 || main.role !== "default" ? roles : {}),
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: token,
    OPENAI_MODEL: main.id,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: token,
    ANTHROPIC_MODEL: main.id,
    // Helpers of Claude Code ask for smaller models by name, which this run does not have.
    ANTHROPIC_SMALL_FAST_MODEL: main.id,
    ANTHROPIC_DEFAULT_OPUS_MODEL: main.id,
    ANTHROPIC_DEFAULT_SONNET_MODEL: main.id,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: main.id,
    CLAUDE_CODE_SUBAGENT_MODEL: main.id,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: token,
    GEMINI_MODEL: main.id,
  };
}
