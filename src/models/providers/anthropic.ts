import type { Provider } from "./provider.ts";

export const anthropic: Provider = {
  id: "anthropic",
  protocols: ["messages"],
  baseUrl: "https://api.anthropic.com",
  baseUrlVariable: "ANTHROPIC_BASE_URL",
  keyVariables: ["ANTHROPIC_API_KEY"],
  needsKey: true,
  pricePrefix: "",
  concurrency: 32,
  callsPerMinute: null,
};
