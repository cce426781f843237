import type { Provider } from "./provider.ts";

/** vLLM, Ollama, llama.cpp, LM Studio and whatever else speaks Chat Completions. */
export const compatible: Provider = {
  id: "compatible",
  protocols: ["chat"],
  baseUrl: null,
  baseUrlVariable: "COMPATIBLE_BASE_URL",
  keyVariables: ["COMPATIBLE_API_KEY"],
  needsKey: false,
  copies: true,
  pricePrefix: "compatible/",
  concurrency: 16,
  callsPerMinute: null,
};
