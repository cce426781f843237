import type { Provider } from "./provider.ts";

export const gemini: Provider = {
  id: "gemini",
  protocols: ["gemini"],
  baseUrl: "https://generativelanguage.googleapis.com",
  baseUrlVariable: "GOOGLE_GEMINI_BASE_URL",
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  needsKey: true,
  pricePrefix: "",
  concurrency: 32,
  callsPerMinute: null,
};
