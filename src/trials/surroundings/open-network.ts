import path from "node:path";
import type { NetworkRequest } from "../../sandbox/sandbox.ts";
import type { EventLog } from "../trial/events.ts";
import type { Network } from "../trial/schema.ts";
import { startEgressProxy } from "./egress-proxy.ts";

/** What the sandbox is told about the network; for an allow-list, with the proxy that enforces and records it. */
export async function openNetwork(
  network: Network,
  folder: string,
  events: EventLog,
): Promise<{ request: NetworkRequest; close: () => Promise<void> }> {
  if (network.mode !== "allow-list") return { request: { mode: network.mode }, close: async () => {} };
  const proxySocket = path.join(folder, "proxy.sock");
  const proxy = await startEgressProxy({
    socket: proxySocket,
    hosts: network.hosts,
    onConnection: (connection) => void events.append("network", { ...connection }),
  });
  return {
    request: { mode: "allow-list", proxySocket },
    async close() {
      await proxy.close();
      const attempts = proxy.unreported();
      if (attempts > 0) events.append("network-unreported", { attempts });
    },
  };
}
