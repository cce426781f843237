import http from "node:http";
import type net from "node:net";
import path from "node:path";
import { startEgressProxy } from "../../../src/trials/surroundings/egress-proxy.ts";
import { startValidationServer } from "../../../src/trials/surroundings/validation-server.ts";
import { type EventLog, openEvents, readEvents } from "../../../src/trials/trial/events.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A server that the harness opens for an agent, with a question whose answer shows that it still works. */
export interface OpenServer {
  name: string;
  socket: string;
  /** Null when the good question is answered as it should be; else what came instead. */
  problem(): Promise<string | null>;
  close(): Promise<void>;
}

export async function validationServer(): Promise<OpenServer> {
  const folder = temporaryFolder();
  const socket = path.join(folder, "validate.sock");
  const events = openEvents(path.join(folder, "events.jsonl"));
  const server = await startValidationServer({
    socket,
    folder,
    maxBytes: async () => 2 ** 20,
    check: async (submissionPath) => ({
      status: "well-formed",
      submissionPath,
      competitionId: "any",
      competitionVersion: "v1",
    }),
    remainingSeconds: () => 7,
    events,
  });
  return {
    name: "the validation server",
    socket,
    async problem() {
      const answer = await ask(socket, "/time");
      return /"remaining_seconds":7/.test(answer) ? recordProblem(folder) : answer;
    },
    async close() {
      await server.close();
      events.close();
    },
  };
}

export async function egressProxy(): Promise<OpenServer> {
  const folder = temporaryFolder();
  const socket = path.join(folder, "proxy.sock");
  const events: EventLog = openEvents(path.join(folder, "events.jsonl"));
  const origin = http.createServer((_, response) => response.end("still here"));
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const { port } = origin.address() as net.AddressInfo;
  const proxy = await startEgressProxy({
    socket,
    hosts: [`127.0.0.1:${port}`, "localhost"],
    onConnection: (connection) => void events.append("network", { ...connection }),
  });
  return {
    name: "the proxy of an allow-list",
    socket,
    async problem() {
      const answer = await ask(socket, `http://127.0.0.1:${port}/`);
      return answer === "still here" ? recordProblem(folder) : answer;
    },
    async close() {
      await proxy.close();
      events.close();
      origin.closeAllConnections();
      origin.close();
    },
  };
}

function recordProblem(folder: string): string | null {
  return readEvents(path.join(folder, "events.jsonl")).problem;
}

function ask(socketPath: string, target: string): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath, path: target, agent: false }, (reply) => {
      let text = "";
      reply.on("data", (piece) => {
        text += piece;
      });
      reply.on("end", () => resolve(text));
    });
    request.on("error", (error) => resolve(error.message));
  });
}
