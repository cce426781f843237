import type { Evidence, TrialView } from "../view.ts";

const SAID =
  /Temporary failure in name resolution|Name or service not known|Could not resolve host|Network is unreachable|ENETUNREACH|EAI_AGAIN|getaddrinfo ENOTFOUND|Failed to establish a new connection|ProxyError|nodename nor servname/;

/** The proxy turned a connection away, which counts even when the trial went well; or the agent said so and failed. */
export function networkDenied({ record: { trial }, troubled, lastLine, events }: TrialView): Evidence[] {
  const found: Evidence[] = [];
  if (trial?.network.mode === "allow-list") {
    const denied = events().filter(({ type, data }) => type === "network" && data.allowed === false);
    const hosts = [...new Set(denied.map(({ data }) => `${data.host}:${data.port}`))];
    if (hosts.length > 0) {
      const text = `${denied.length} connections refused: ${hosts.slice(0, 5).join(", ")}`;
      found.push({ source: "event", where: `events.jsonl:${denied[0].seq + 1}`, text });
    }
  }
  const line = troubled ? lastLine(SAID) : null;
  return line === null ? found : [...found, line];
}
