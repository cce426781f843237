import type { Provider } from "./provider.ts";

/** It reports the cost of each call itself, which wins over every table. */
export const openrouter: Provider = {
  id: "openrouter",
  protocols: ["chat"],
  baseUrl: "https://openrouter.ai/api/v1",
  baseUrlVariable: "OPENROUTER_BASE_URL",
  keyVariables: ["OPENROUTER_API_KEY"],
  needsKey: true,
  pricePrefix: "openrouter/",
  concurrency: 32,
  callsPerMinute: null,
};
