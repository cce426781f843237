// What the gateway adds to a model call: the first byte of a stream, processor time of a call of 100 KB, and the memory of
// 200 streams at once. It is measured from outside, as `mlebench models serve`. Needs the built package and Linux.
// `--quick` makes fewer calls.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const MAIN = path.resolve(import.meta.dirname, "../../dist/cli/main.js");
const MAX_FIRST_BYTE_MS = 5;
const MAX_CPU_MS = 3;
const MAX_MEMORY_MB = 150;
const STREAMS = 200;

export async function run(options) {
  const quick = options.includes("--quick");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-bench-"));
  const provider = await startProvider();
  const gateway = await startGateway(folder, provider.url);
  // Its high-water mark is to be that of the streams alone.
  const other = await startGateway(folder, provider.url);
  try {
    const result = {
      firstByteMs: await firstBytes(gateway, provider, quick ? 50 : 300),
      cpuMsPerCall: await cpuOfCalls(gateway, quick ? 100 : 1000),
      memoryMb: await memoryOfStreams(other, provider),
    };
    const { firstByteMs, cpuMsPerCall, memoryMb } = result;
    if (options.includes("--json")) console.log(JSON.stringify(result, null, 2));
    else {
      console.log(
        `first byte of a stream: median ${firstByteMs.median.toFixed(2)} ms, 95th percentile ${firstByteMs.p95.toFixed(2)} ms (limit ${MAX_FIRST_BYTE_MS} ms)`,
      );
      console.log(
        `processor time of a call of 100 KB: ${cpuMsPerCall.toFixed(2)} ms (limit ${MAX_CPU_MS} ms)`,
      );
      console.log(
        `${STREAMS} streams at once: ${memoryMb.toFixed(0)} MB at most (limit ${MAX_MEMORY_MB} MB)`,
      );
    }
    // Nearly every stream, not half of them.
    return firstByteMs.p95 <= MAX_FIRST_BYTE_MS && cpuMsPerCall < MAX_CPU_MS && memoryMb < MAX_MEMORY_MB
      ? 0
      : 1;
  } finally {
    for (const { child } of [gateway, other]) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    provider.server.closeAllConnections();
    provider.server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const WHOLE = JSON.stringify({
  id: "msg",
  type: "message",
  role: "assistant",
  model: "bench",
  content: [{ type: "text", text: "yes" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
});
const START = `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message: { ...JSON.parse(WHOLE), content: [], stop_reason: null } })}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n`;
const DELTA = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${"word ".repeat(20)}"}}\n\n`;
const END = `event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;

/** Streams are held open until the bench lets them go on. */
async function startProvider() {
  const held = [];
  const server = http.createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (!/"stream":\s*true/.test(text)) {
      response.writeHead(200, { "content-type": "application/json" }).end(WHOLE);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    held.push(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, held, url: `http://127.0.0.1:${server.address().port}` };
}

async function startGateway(folder, url) {
  const file = path.join(folder, "models.yaml");
  fs.writeFileSync(
    file,
    JSON.stringify({
      models: { bench: { model: "anthropic:bench", base_url: url, price: { input: 1, output: 1 } } },
      providers: { anthropic: { concurrency: 1000 } },
    }),
  );
  const options = [
    "--model",
    "bench",
    "--models-file",
    file,
    "--no-token",
    "--json",
    "--folder",
    path.join(folder, "kept"),
  ];
  const child = spawn(process.execPath, [MAIN, "models", "serve", ...options], {
    env: { ...process.env, ANTHROPIC_API_KEY: "bench" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(readline.createInterface(child.stdout), "line");
  return { child, url: `${JSON.parse(line).url}/v1/messages` };
}

const agent = new http.Agent({ keepAlive: true });

function ask(gateway, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      gateway.url,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      resolve,
    );
    request.on("error", reject);
    request.end(body);
  });
}

function bodyOf(characters, stream) {
  const words = "the quick brown fox jumps over the lazy dog ";
  const messages = Array.from({ length: 20 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `${Math.random()} ${words.repeat(Math.ceil(characters / 20 / words.length))}`,
  }));
  return JSON.stringify({ model: "bench", max_tokens: 100, stream, messages });
}

async function firstBytes(gateway, provider, count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const reply = ask(gateway, bodyOf(2000, true));
    while (provider.held.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const upstream = provider.held.shift();
    const from = performance.now();
    upstream.write(START);
    const response = await reply;
    await once(response, "data");
    times.push(performance.now() - from);
    upstream.end(DELTA + END);
    response.resume();
    await once(response, "end");
  }
  // The first ones are compiled while they run.
  const warm = times.slice(Math.floor(count / 5)).sort((a, b) => a - b);
  return { median: warm[Math.floor(warm.length / 2)], p95: warm[Math.floor(warm.length * 0.95)] };
}

async function cpuOfCalls(gateway, count) {
  const once100 = async () => {
    const response = await ask(gateway, bodyOf(100_000, false));
    response.resume();
    await once(response, "end");
  };
  for (let i = 0; i < count / 5; i++) await once100();
  const before = cpuMs(gateway.child.pid);
  for (let i = 0; i < count; i++) await once100();
  return (cpuMs(gateway.child.pid) - before) / count;
}

function cpuMs(pid) {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const perSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) / perSecond) * 1000;
}

async function memoryOfStreams(gateway, provider) {
  const replies = Array.from({ length: STREAMS }, () => ask(gateway, bodyOf(20_000, true)));
  while (provider.held.length < STREAMS) await new Promise((resolve) => setTimeout(resolve, 5));
  const upstreams = provider.held.splice(0);
  for (const upstream of upstreams) upstream.write(START);
  const responses = await Promise.all(replies);
  for (const response of responses) response.resume();
  for (let round = 0; round < 100; round++) {
    for (const upstream of upstreams) upstream.write(DELTA);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const memory = residentMb(gateway.child.pid);
  const ends = responses.map((response) => once(response, "end"));
  for (const upstream of upstreams) upstream.end(END);
  await Promise.all(ends);
  return Math.max(memory, residentMb(gateway.child.pid));
}

function residentMb(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}
