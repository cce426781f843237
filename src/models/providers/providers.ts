import type { RemoteProvider } from "../names.ts";
import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { compatible } from "./compatible.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import type { Provider } from "./provider.ts";

export const providers: Record<RemoteProvider, Provider> = {
  anthropic,
  openai,
  gemini,
  openrouter,
  azure,
  compatible,
};
