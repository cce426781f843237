import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import { noTotals, sumTotals } from "../../../src/models/ledger/totals.ts";
import { message, messageStream } from "./fake-provider.ts";
import { openSetting, openTrial, post } from "./gateway-setting.ts";

/** What the provider itself says about each request it was sent. */
interface JournalEntry {
  trial: number;
  call: number;
  outcome: "delivered" | "broken" | "refused";
  input: number;
  output: number;
}

export interface FaultReport {
  calls: number;
  attempts: number;
  faults: Record<string, number>;
  answered: number;
  failed: number;
  /** What does not agree; empty when all is well. */
  problems: string[];
}

/** Numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const FAULTS = [
  ["none", 60],
  ["429", 6],
  ["429 with Retry-After", 6],
  ["529", 5],
  ["500", 4],
  ["no reply at all", 4],
  ["cut", 9],
  ["stall", 1],
  ["wrong length", 3],
  ["error first", 2],
] as const;

/**
 * Sends many calls of several trials through their gateways to a provider that fails in every way it can, and compares
 * the ledgers with the provider's own journal.
 */
export async function runFaults({
  folder,
  calls,
  trials,
  seed,
  parallel,
}: {
  folder: string;
  calls: number;
  trials: number;
  seed: number;
  parallel: number;
}): Promise<FaultReport> {
  const random = randomFrom(seed);
  const journal: JournalEntry[] = [];
  const faults: Record<string, number> = {};
  const provider = await startFaultyProvider(random, journal, faults);
  const first = await openSetting({
    folder: path.join(folder, "0").replace(/0$/, ""),
    roles: { default: "faulty" },
    file: {
      models: {
        faulty: { model: "anthropic:faulty", base_url: provider.url, price: { input: 1, output: 1 } },
      },
    },
    settings: { transcripts: "none" },
    timing: { retryMs: 2, stallMs: 400 },
  });
  const settings = [first];
  for (let i = 1; i < trials; i++)
    settings.push({
      ...(await openTrial(first.models, { folder: path.join(folder, String(i)) })),
      models: first.models,
    });
  const problems: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let call = next++; call < calls; call = next++) {
      const trial = call % trials;
      const stream = random() < 0.6;
      const body = JSON.stringify({
        model: "faulty",
        max_tokens: 10,
        stream,
        messages: [{ role: "user", content: `${trial}/${call}` }],
      });
      try {
        const reply = await post(`${settings[trial].gateway.url}/v1/messages`, body);
        const text = reply.body.toString();
        if (
          reply.status === 200 &&
          reply.whole &&
          !text.includes("event: error") &&
          !saidIn(text, stream).includes(`<${trial}/${call}>`)
        )
          problems.push(`call ${call} got another call's reply`);
      } catch {
        // A stream that was cut; the ledger says so.
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const ledgers: LedgerLine[][] = [];
  for (const setting of settings) ledgers.push(await setting.end());
  await provider.close();
  problems.push(...disagreements(ledgers, journal, calls));
  const totals = sumTotals(settings.map(({ gateway }) => gateway.totals() ?? noTotals()));
  return {
    calls,
    attempts: journal.length,
    faults,
    answered: totals.answered,
    failed: totals.failed,
    problems,
  };
}

function saidIn(text: string, stream: boolean): string {
  if (!stream) return text;
  return [...text.matchAll(/"text_delta","text":"(.*?)"\}/g)].map(([, letter]) => letter).join("");
}

function disagreements(
  ledgers: readonly LedgerLine[][],
  journal: readonly JournalEntry[],
  calls: number,
): string[] {
  const problems: string[] = [];
  const lines = ledgers.flat();
  if (lines.length !== calls) problems.push(`${calls} calls were made, the ledgers have ${lines.length}`);
  const attempts = lines.reduce((sum, { retries }) => sum + retries + 1, 0);
  if (attempts !== journal.length)
    problems.push(`the ledgers tell of ${attempts} attempts, the provider of ${journal.length}`);
  for (const [trial, ledger] of ledgers.entries()) {
    const answered = ledger.filter(({ outcome }) => outcome === "answered");
    const delivered = journal.filter((entry) => entry.trial === trial && entry.outcome === "delivered");
    if (answered.length !== delivered.length)
      problems.push(
        `trial ${trial}: ${answered.length} answered, the provider delivered ${delivered.length}`,
      );
    const mine = [
      sum(answered.map(({ usage }) => usage!.inputUncached)),
      sum(answered.map(({ usage }) => usage!.output)),
    ];
    const theirs = [sum(delivered.map(({ input }) => input)), sum(delivered.map(({ output }) => output))];
    if (String(mine) !== String(theirs))
      problems.push(`trial ${trial}: ${mine} tokens, by the provider ${theirs}`);
    const cost = sum(answered.map((line) => line.cost!));
    if (Math.abs(cost - (theirs[0] + theirs[1]) / 1e6) > 1e-9)
      problems.push(`trial ${trial}: the costs differ`);
    const odd = ledger.find(({ outcome }) => outcome !== "answered" && outcome !== "failed");
    if (odd !== undefined) problems.push(`trial ${trial}: a call is ${odd.outcome}: ${odd.problem}`);
  }
  return problems;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function startFaultyProvider(
  random: () => number,
  journal: JournalEntry[],
  faults: Record<string, number>,
) {
  const server = http.createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const body = JSON.parse(text) as { stream: boolean; messages: { content: string }[] };
      const name = body.messages[0].content;
      const [trial, call] = name.split("/").map(Number);
      const fault = pick(random());
      faults[fault] = (faults[fault] ?? 0) + 1;
      const usage = { input: 1 + Math.floor(random() * 1000), output: 1 + Math.floor(random() * 1000) };
      const entry: JournalEntry = { trial, call, outcome: "refused", ...usage };
      journal.push(entry);
      const error = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: fault } });
      const json = { "content-type": "application/json" };
      const stream = { "content-type": "text/event-stream" };
      const whole = Buffer.from(
        body.stream
          ? messageStream(`<${name}>`, usage).join("")
          : message(`<${name}>`, { input_tokens: usage.input, output_tokens: usage.output }),
      );
      const head = body.stream ? stream : json;
      switch (fault) {
        case "429":
        case "500":
        case "529":
          response.writeHead(Number(fault), json).end(error);
          return;
        case "429 with Retry-After":
          response.writeHead(429, { ...json, "retry-after": "0.003" }).end(error);
          return;
        case "no reply at all":
          response.socket?.destroy();
          return;
        case "error first":
          if (body.stream) response.writeHead(200, stream).end(`event: error\ndata: ${error}\n\n`);
          else response.writeHead(200, json).end(error);
          return;
        case "wrong length":
          entry.outcome = "broken";
          response.writeHead(200, { ...head, "content-length": String(whole.length + 50) });
          response.write(whole.subarray(0, -1), () => setTimeout(() => response.destroy(), 2));
          return;
        case "cut":
        case "stall": {
          entry.outcome = "broken";
          response.writeHead(200, head);
          response.flushHeaders();
          const at = Math.floor(random() * whole.length);
          const end = () => void (fault === "cut" && setTimeout(() => response.destroy(), 2));
          if (at === 0) end();
          else response.write(whole.subarray(0, at), end);
          return;
        }
        default: {
          entry.outcome = "delivered";
          response.writeHead(200, head);
          const at = Math.floor(random() * whole.length);
          response.write(whole.subarray(0, at));
          setImmediate(() => response.end(whole.subarray(at)));
        }
      }
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function pick(value: number): string {
  const all = FAULTS.reduce((total, [, weight]) => total + weight, 0);
  let left = value * all;
  for (const [name, weight] of FAULTS) {
    left -= weight;
    if (left < 0) return name;
  }
  return "none";
}
