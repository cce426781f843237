import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedJudge } from "../../../src/grading/judge.ts";
import { VALIDATE_SCRIPT } from "../../../src/trials/surroundings/validate-script.ts";
import {
  startValidationServer,
  type ValidationServer,
} from "../../../src/trials/surroundings/validation-server.ts";
import { type EventLog, openEvents, readEvents } from "../../../src/trials/trial/events.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "./setting.ts";

const folder = temporaryFolder();
const dataDir = layOutPrepared(path.join(folder, "data"));
const SAMPLE = path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv");
const MAX_BYTES = 200_000;

interface Running {
  server: ValidationServer;
  socket: string;
  uploads: string;
  events: EventLog;
  record: string;
}

let started = 0;

async function start(): Promise<Running> {
  const own = path.join(folder, `${started++}`);
  const uploads = path.join(own, "uploads");
  fs.mkdirSync(uploads, { recursive: true });
  const record = path.join(own, "events.jsonl");
  const events = openEvents(record);
  const socket = path.join(own, "s");
  const server = await startValidationServer({
    socket,
    folder: uploads,
    maxBytes: async () => MAX_BYTES,
    check: (submissionPath) => sharedJudge().check({ submissionPath, competitionId: COMPETITION, dataDir }),
    remainingSeconds: () => 42,
    events,
  });
  return { server, socket, uploads, events, record };
}

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.server.close());

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

function call(
  socketPath: string,
  method: string,
  target: string,
  body?: Buffer,
  contentType = "multipart/form-data; boundary=b",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": contentType };
    const request = http.request({ socketPath, method, path: target, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    request.on("error", reject);
    request.end(body);
  });
}

function form(content: Buffer | string, field = "file"): Buffer {
  return Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="x.csv"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n--b--\r\n"),
  ]);
}

test("health, time and unknown addresses are answered", async () => {
  expect(await call(running.socket, "GET", "/health")).toEqual({ status: 200, body: { status: "running" } });
  expect(await call(running.socket, "GET", "/time")).toEqual({
    status: 200,
    body: { remaining_seconds: 42 },
  });
  expect((await call(running.socket, "GET", "/answers")).status).toBe(404);
  expect((await call(running.socket, "GET", "/validate")).status).toBe(405);
});

test("a well-formed file is valid, in the original's words", async () => {
  const answer = await call(running.socket, "POST", "/validate", form(fs.readFileSync(SAMPLE)));
  expect(answer).toEqual({ status: 200, body: { result: "Submission is valid.", is_valid: true } });
});

test("a malformed file is invalid, with reasons of format and no score", async () => {
  const lines = fs.readFileSync(SAMPLE, "utf8").split("\n");
  const { body } = await call(running.socket, "POST", "/validate", form(lines.slice(0, -2).join("\n")));
  expect(body.is_valid).toBe(false);
  expect(body.result).toMatch(/^Submission invalid!\n/);
  expect(Object.keys(body)).toEqual(["result", "is_valid"]);
});

test("calls at the same time do not mix their files", async () => {
  const { socket, server } = await start();
  const good = form(fs.readFileSync(SAMPLE));
  const bad = form("nothing,of,this\n1,2,3\n");
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => call(socket, "POST", "/validate", i % 2 ? bad : good)),
  );
  expect(answers.map(({ body }) => body.is_valid)).toEqual(Array.from({ length: 12 }, (_, i) => i % 2 === 0));
  await server.close();
});

test.each([
  ["no form", Buffer.from("id,a\n1,2\n"), "text/csv", 400],
  ["no field called file", form("id\n1\n", "other"), undefined, 400],
  ["a form that is cut short", form("id\n1\n").subarray(0, -5), undefined, 400],
  ["a file that is too large", form(Buffer.alloc(MAX_BYTES + 1, "x")), undefined, 413],
  ["a file that is far too large", form(Buffer.alloc(20 * MAX_BYTES, "x")), undefined, 413],
])("%s is refused", async (_, body, contentType, status) => {
  const { socket, server } = await start();
  const answer = await call(socket, "POST", "/validate", body, contentType).catch(() => null);
  // The server hangs up on what is far too large; the client may see only that.
  if (answer !== null) expect(answer.status).toBe(status);
  expect(fs.readdirSync(running.uploads)).toEqual([]);
  await server.close();
});

test("ten uploads that never end are received one after the other, and take no more than one may", async () => {
  const own = await start();
  const piece = form(Buffer.alloc(MAX_BYTES - 10_000, "x")).subarray(0, -12);
  const requests = Array.from({ length: 10 }, () => {
    const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": 10 * MAX_BYTES };
    const request = http.request({ socketPath: own.socket, method: "POST", path: "/validate", headers });
    request.on("error", () => {});
    request.write(piece);
    return request;
  });
  let most = 0;
  for (let looks = 0; looks < 20; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const sizes = fs.readdirSync(own.uploads).map((name) => fs.statSync(path.join(own.uploads, name)).size);
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  for (const request of requests) request.destroy();
  await own.server.close();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(MAX_BYTES);
  expect(fs.readdirSync(own.uploads)).toEqual([]);
});

test("too many calls are told to wait, every check is recorded with its hash, the flood as one number", async () => {
  const { socket, server, record, events, uploads } = await start();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => call(socket, "POST", "/validate", form("a\n1\n"))),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(25);
  expect(refused[0].body.error).toMatch(/^Too many calls: wait \d+ s\./);
  await server.close();
  events.close();
  const recorded = readEvents(record).events;
  const checks = recorded.filter(({ type }) => type === "validation");
  expect(checks).toHaveLength(60 - refused.length);
  expect(checks.every(({ data }) => /^[0-9a-f]{64}$/.test(String(data.sha256)))).toBe(true);
  expect(recorded.filter(({ type }) => type === "validation-refused").map(({ data }) => data)).toEqual([
    { calls: refused.length },
  ]);
  expect(fs.readdirSync(uploads)).toEqual([]);
});

const TOOLS = ["curl", "perl", "python3", "wget"];

test.each(TOOLS)("the script in the agent's home works with %s alone", async (tool) => {
  if (realProgram(tool) === "") return;
  const { socket, server } = await start();
  const bridge = net.createServer((client) => {
    const upstream = net.connect(socket);
    client.pipe(upstream).pipe(client);
    for (const end of [client, upstream]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
  const { port } = bridge.address() as { port: number };
  const bin = path.join(folder, `bin-${tool}`);
  fs.mkdirSync(bin);
  for (const name of ["rm", "cat", "sh", tool]) {
    const real = realProgram(name);
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 });
  }
  const script = writeText(folder, "validate_submission.sh", VALIDATE_SCRIPT);
  const child = spawn("/bin/sh", [script, SAMPLE], {
    env: { PATH: bin, HOME: process.env.HOME, MLEBENCH_VALIDATE_URL: `http://127.0.0.1:${port}/validate` },
  });
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  expect(JSON.parse(output)).toEqual({ result: "Submission is valid.", is_valid: true });
  bridge.close();
  await server.close();
});

test("the script says how it is used, and what is missing", () => {
  const script = writeText(folder, "usage.sh", VALIDATE_SCRIPT);
  expect(spawnSync("sh", [script]).status).toBe(1);
  const { status, stderr } = spawnSync("sh", [script, "/nonexistent.csv"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, "there is no file /nonexistent.csv\n"]);
});

/** Version managers put scripts in the way that need more than themselves. */
function realProgram(name: string): string {
  const ask = name === "python3" ? "python3 -c 'import sys; print(sys.executable)'" : `command -v ${name}`;
  return spawnSync("sh", ["-c", ask], { encoding: "utf8" }).stdout.trim();
}
