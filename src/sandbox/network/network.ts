import { type Forward, PROXY_PORT, type SandboxRequest } from "../sandbox.ts";

/** The request's forwards, and the proxy's where there is one. */
export function allForwards(request: SandboxRequest): readonly Forward[] {
  return request.network.mode === "allow-list"
    ? [...request.forwards, { port: PROXY_PORT, socket: request.network.proxySocket }]
    : request.forwards;
}

/** The agent's environment, with the variables by which programs find the proxy. */
export function agentEnvironment(request: SandboxRequest): Record<string, string> {
  if (request.network.mode !== "allow-list") return { ...request.env };
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const direct = "localhost,127.0.0.1";
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    no_proxy: direct,
    NO_PROXY: direct,
    ...request.env,
  };
}
