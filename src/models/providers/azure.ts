import type { Provider } from "./provider.ts";

/** The address is the resource's own, such as https://<name>.openai.azure.com/openai/v1; a model is a deployment's name. */
export const azure: Provider = {
  id: "azure",
  protocols: ["responses", "chat"],
  baseUrl: null,
  baseUrlVariable: "AZURE_OPENAI_BASE_URL",
  keyVariables: ["AZURE_OPENAI_API_KEY"],
  needsKey: true,
  authorize: (key) => ({ "api-key": key }),
  pricePrefix: "azure/",
  concurrency: 32,
  callsPerMinute: null,
};
