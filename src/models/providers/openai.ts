import type { Provider } from "./provider.ts";

export const openai: Provider = {
  id: "openai",
  protocols: ["responses", "chat"],
  baseUrl: "https://api.openai.com/v1",
  baseUrlVariable: "OPENAI_BASE_URL",
  keyVariables: ["OPENAI_API_KEY"],
  needsKey: true,
  pricePrefix: "",
  concurrency: 32,
  callsPerMinute: null,
};
