import { once } from "node:events";
import http from "node:http";
import type net from "node:net";
import path from "node:path";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { openRunModels } from "../../../src/models/run-models.ts";
import { USUAL_ACCESS } from "../../../src/models/settings.ts";
import { startEgressProxy } from "../../../src/trials/surroundings/egress-proxy.ts";
import { startValidationServer } from "../../../src/trials/surroundings/validation-server.ts";
import { type EventLog, openEvents, readEvents } from "../../../src/trials/trial/events.ts";
import { startMlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { plan, runPlanned, scene } from "../trials/setting.ts";

/** A server that we open, for an agent or a person, with a question whose answer shows that it still works. */
export interface OpenServer {
  name: string;
  address: net.NetConnectOpts;
  own?: readonly string[];
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
    address: { path: socket },
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
    address: { path: socket },
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

/** The door to models, with one that answers what it was asked. */
export async function modelGateway(): Promise<OpenServer> {
  const folder = temporaryFolder();
  const socket = path.join(folder, "models.sock");
  const models = await openRunModels(
    { ...USUAL_ACCESS, roles: { default: "echo:any" } },
    { mlebenchVersion: "test", environment: {} },
  );
  if ("code" in models) throw new Error(models.message);
  const gateway = await models.openGateway({
    listen: { socket },
    folder: path.join(folder, "model"),
    lane: "any, seed 0",
    seed: 0,
    places: [],
    remainingMs: 3_600_000,
    secrets: [],
    withToken: false,
  });
  const question = { model: "default", max_tokens: 10, messages: [{ role: "user", content: "still here" }] };
  return {
    name: "the gateway to models",
    address: { path: socket },
    async problem() {
      const answer = await ask(socket, "/v1/messages", JSON.stringify(question));
      const { unreadable } = readLedger(path.join(folder, "model", "ledger.jsonl"));
      if (!answer.includes("still here")) return answer;
      return unreadable === 0 ? null : `${unreadable} lines of its ledger cannot be read`;
    },
    close: () => gateway.close(),
  };
}

/** The viewer, started as a person starts it, on a group that has run. */
export async function viewer(): Promise<OpenServer> {
  const setting = scene('cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"');
  const group = path.basename((await runPlanned(await plan(setting, { sandbox: "process" }))).folder);
  const started = await startServer(["view", "--no-open", "--json", "--runs-dir", setting.runsDir]);
  const { origin, port, searchParams } = new URL(started.said.url as string);
  const token = searchParams.get("token");
  const authorization = `Bearer ${token}`;
  const paths = ["runs", "group", "trial", "log", "events", "calls", "files", "file", "certificate", "live"];
  const own = [...paths, "standings", "report", "journal", "submission-diff", "integrity"].flatMap((name) =>
    [
      "",
      `?group=${group}`,
      "?group=..%2f..&trial=%00",
      `?group=${group}&trial=x&file=..%2f..%2fgroup.json`,
    ].map(
      (query) =>
        `GET /api/${name}${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\n`,
    ),
  );
  return {
    name: "the viewer",
    address: { host: "127.0.0.1", port: Number(port) },
    own,
    async problem() {
      if (!started.isAlive()) return `it has ended: ${started.errors()}`;
      const reply = await fetch(`${origin}/api/runs`, { headers: { authorization } });
      const text = await reply.text();
      return reply.status === 200 && text.includes(group) ? null : `${reply.status} ${text.slice(0, 300)}`;
    },
    close: started.stop,
  };
}

/** `mlebench models serve`, the gateway for experiments of one's own. */
export async function servedModels(): Promise<OpenServer> {
  const folder = temporaryFolder();
  const started = await startServer([
    ...["models", "serve", "--model", "echo", "--port", "0", "--json", "--folder", folder],
  ]);
  const { url, token } = started.said as { url: string; token: string | null };
  const { port } = new URL(url);
  const authorization = `Bearer ${token}`;
  const targets = ["chat/completions", "responses", "messages", "models"].map((name) => `/v1/${name}`);
  return {
    name: "mlebench models serve",
    address: { host: "127.0.0.1", port: Number(port) },
    own: targets.map(
      (target) =>
        `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\nx-api-key: ${token}\r\n`,
    ),
    async problem() {
      if (!started.isAlive()) return `it has ended: ${started.errors()}`;
      const reply = await fetch(new URL("/v1/messages", url), {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({
          model: "default",
          max_tokens: 10,
          messages: [{ role: "user", content: "still here" }],
        }),
      });
      const text = await reply.text();
      const { unreadable } = readLedger(path.join(folder, "ledger.jsonl"));
      if (!text.includes("still here")) return `${reply.status} ${text.slice(0, 300)}`;
      return unreadable === 0 ? null : `${unreadable} lines of its ledger cannot be read`;
    },
    close: started.stop,
  };
}

/** Starts a command that prints one JSON object, where it listens, and stays. */
async function startServer(args: readonly string[]) {
  const child = startMlebench(args);
  const ended = once(child, "close");
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (piece) => {
      texts[name] += piece;
    });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  while (!/\}\s*$/.test(texts.stdout)) {
    if (!isAlive()) throw new Error(`it did not start: ${texts.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    said: JSON.parse(texts.stdout) as Record<string, unknown>,
    isAlive,
    errors: () => texts.stderr,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function recordProblem(folder: string): string | null {
  return readEvents(path.join(folder, "events.jsonl")).problem;
}

function ask(socketPath: string, target: string, body?: string): Promise<string> {
  return new Promise((resolve) => {
    const method = body === undefined ? "GET" : "POST";
    const headers = { "content-type": "application/json" };
    const request = http.request({ socketPath, path: target, agent: false, method, headers }, (reply) => {
      let text = "";
      reply.on("data", (piece) => {
        text += piece;
      });
      reply.on("end", () => resolve(text));
    });
    request.on("error", (error) => resolve(error.message));
    request.end(body);
  });
}
