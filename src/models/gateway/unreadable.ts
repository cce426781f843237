import type { GatewayOptions } from "./options.ts";

/** What came over a connection is no request, or one that nobody looks at: it is on record like everything that was asked. */
export function noteUnreadable({ ledger }: GatewayOptions, problem: string): void {
  ledger.append({
    time: new Date().toISOString(),
    role: null,
    modelAsked: null,
    model: null,
    modelAnswered: null,
    protocolIn: "none",
    protocolOut: null,
    streamed: false,
    outcome: "refused",
    blame: "agent",
    problem,
    status: 400,
    usage: null,
    usageSource: null,
    cost: null,
    costSource: null,
    milliseconds: { waiting: 0, firstByte: null, total: 0 },
    retries: 0,
    stopReason: null,
    requestId: null,
    requestSha256: null,
    replySha256: null,
    bytesIn: 0,
    bytesOut: 0,
    replayed: false,
    notes: [],
  });
}
