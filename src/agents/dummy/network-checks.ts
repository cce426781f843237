import http from "node:http";
import net from "node:net";
import os from "node:os";
import type { AgentContract } from "../kit/contract.ts";
import { type Check, mustBe, noted } from "./check.ts";

/** Public name servers, named by address: no name service is needed to try. */
const OUTSIDE = [
  { host: "1.1.1.1", port: 53 },
  { host: "8.8.8.8", port: 53 },
];
const PATIENCE_MS = 1500;

/** Whether the network is what the harness said, and whether the harness answers. */
export async function networkChecks(contract: AgentContract): Promise<Check[]> {
  const { network, validateUrl } = contract;
  const interfaces = Object.entries(os.networkInterfaces())
    .filter(([, addresses]) => addresses?.some(({ internal }) => !internal))
    .map(([name]) => name);
  const reached = await Promise.all(OUTSIDE.map(({ host, port }) => connects(host, port)));
  const ways = `interfaces: ${interfaces.join(", ") || "none"}; connections out: ${reached.filter(Boolean).length} of ${OUTSIDE.length}`;
  const isClosed = interfaces.length === 0 && !reached.includes(true);
  return [
    network === "open"
      ? noted("network", `open; ${ways}`)
      : mustBe("network", network !== "" && isClosed, `said to be "${network}"; ${ways}`),
    ...(network === "allow-list" ? [await proxyRefuses()] : []),
    await answers("server-health", new URL("/health", validateUrl), (body) => body.includes('"running"')),
    await answers("server-time", new URL("/time", validateUrl), (body) => /\d/.test(body)),
  ];
}

/** A host that cannot be on any allow-list has to be refused by the proxy itself, not by a timeout. */
async function proxyRefuses(): Promise<Check> {
  const proxy = process.env.HTTPS_PROXY;
  if (proxy === undefined) return mustBe("proxy", false, "HTTPS_PROXY is not set");
  return new Promise((resolve) => {
    const finish = (ok: boolean, detail: string) => resolve(mustBe("proxy", ok, detail));
    const request = http.request(proxy, {
      method: "CONNECT",
      path: "mlebench.invalid:443",
      timeout: PATIENCE_MS,
    });
    request.on("connect", (response, socket) => {
      socket.destroy();
      finish(response.statusCode === 403, `a host that is on no list: status ${response.statusCode}`);
    });
    request.on("response", (response) =>
      finish(response.statusCode === 403, `status ${response.statusCode}`),
    );
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", (error) => finish(false, error.message));
    request.end();
  });
}

async function answers(name: string, url: URL, isRight: (body: string) => boolean): Promise<Check> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    return mustBe(name, response.ok && isRight(body), `status ${response.status}: ${body.slice(0, 200)}`);
  } catch (error) {
    return mustBe(name, false, `${url}: ${(error as Error).message}`);
  }
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: PATIENCE_MS });
    const finish = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.on("connect", () => finish(true));
    socket.on("timeout", () => finish(false));
    socket.on("error", () => finish(false));
  });
}
