import { describe, expect, it } from "vitest";
import { joinTurns, sumsOf } from "../../../src/analysis/turns.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");

function ledgerLine(seq: number, startMs: number, totalMs: number, input: number, output: number) {
  return {
    seq,
    time: new Date(START + startMs).toISOString(),
    role: "default",
    modelAsked: "m",
    model: "echo",
    modelAnswered: "m",
    protocolIn: "chat",
    protocolOut: "chat",
    streamed: false,
    outcome: "answered",
    blame: null,
    problem: null,
    status: 200,
    usage: { inputUncached: input, cacheRead: 0, cacheWrite: 0, output, reasoning: 0 },
    usageSource: "reported",
    cost: null,
    costSource: null,
    milliseconds: { waiting: 0, firstByte: 1, total: totalMs },
    retries: 0,
    stopReason: "end",
    requestId: `r${seq}`,
    requestSha256: null,
    replySha256: null,
    bytesIn: 1,
    bytesOut: 1,
    replayed: false,
    notes: [],
  };
}

function trial(ownInput: number, turns: readonly object[]): string {
  const folder = temporaryFolder();
  const calls = [
    ledgerLine(0, 0, 900, 100, 10),
    ledgerLine(1, 2000, 500, 200, 20),
    ledgerLine(2, 9000, 1, 50, 5),
  ];
  writeText(folder, "model/ledger.jsonl", calls.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeText(folder, "logs/turns.jsonl", turns.map((turn) => `${JSON.stringify(turn)}\n`).join(""));
  const summary = {
    schema: "mlebench.coding-agent",
    version: 1,
    program: "pi",
    continuations: 0,
    turns: 2,
    toolCalls: 1,
    failedCommands: 0,
    ownTokens: { input: ownInput, output: 35 },
  };
  writeText(folder, "logs/coding-agent.json", JSON.stringify(summary));
  return folder;
}

describe("an agent's turns beside its gateway's ledger", () => {
  const turns = [
    { time: START + 1000, run: 0, turns: 1 },
    { time: START + 1500, run: 0, tools: [{ name: "bash", exitCode: 1 }] },
    { time: START + 2600, run: 1, turns: 1, tools: [] },
  ];

  it("gives each call to the first turn told after its end, and tools to the turn before them", () => {
    const joined = joinTurns(trial(350, turns));
    expect(joined.turns).toMatchObject([
      { number: 1, run: 0, tools: [{ name: "bash", exitCode: 1 }], calls: [{ seq: 0, requestId: "r0" }] },
      { number: 2, run: 1, calls: [{ seq: 1 }], ledgerTokens: { input: 200, output: 20 } },
    ]);
    expect(joined.unmatched).toBe(1);
  });

  it("compares both sums", () => {
    expect(sumsOf(trial(350, turns))).toMatchObject({ difference: 0, ledger: { input: 350, output: 35 } });
    expect(sumsOf(trial(280, turns))?.difference).toBeCloseTo(0.2);
  });

  it("survives whatever an agent writes under these names", () => {
    const folder = trial(350, turns);
    writeText(folder, "logs/turns.jsonl", 'null\n{"time":"now"}\n[[[\n');
    writeText(folder, "logs/coding-agent.json", '{"schema":"mlebench.coding-agent","ownTokens":"many"}');
    expect(joinTurns(folder)).toEqual({ turns: [], unmatched: 3, sums: null });
  });
});
