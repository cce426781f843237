import type { JsonValue, ModelCall, ModelReply } from "../call.ts";
import { requestKey } from "../cassettes/key.ts";
import type { Cassette } from "../cassettes/replay.ts";
import type { OfflineModel } from "../offline/offline-model.ts";
import type { Endpoint } from "../protocols/protocol.ts";
import type { Client } from "./client.ts";
import { finished, writeReply } from "./deliver.ts";
import { type Exchange, ended, laneOf, tell } from "./exchange.ts";
import { counted } from "./intake.ts";
import type { GatewayOptions } from "./options.ts";
import { invalid } from "./problems.ts";

/** Lets a model that runs in the harness answer. */
export async function askOffline(
  exchange: Exchange,
  offline: OfflineModel,
  options: GatewayOptions,
  { endpoint, body, signal }: { endpoint: Endpoint; body: JsonValue; signal: AbortSignal },
): Promise<void> {
  const read = counted(options.intake, () => exchange.protocol.readRequest({ body, endpoint }));
  if (!read.ok) {
    ended(exchange, "refused", "agent", read.problem.message);
    return tell(exchange, read.problem, 400);
  }
  const call = { ...read.value, stream: exchange.streamed };
  const role = exchange.model!.role;
  exchange.protocolOut = exchange.protocol.name;
  exchange.reached = true;
  const answer = await offline.answer(call, {
    role,
    lane: laneOf(options.lane, role),
    seed: options.seed,
    signal,
  });
  exchange.notes.push(...call.notes, ...(answer.notes ?? []));
  if (!answer.reply.ok) {
    const { problem } = answer.reply;
    ended(exchange, "failed", "provider", problem.message);
    return tell(exchange, problem, answer.status);
  }
  const reply = answer.reply.value;
  exchange.metered = {
    usage: reply.usage,
    reportedCost: null,
    stopReason: reply.stopReason,
    id: reply.id,
    model: reply.model,
    problem: null,
    outputCharacters: 0,
  };
  if (answer.disconnectAfter === undefined) {
    await writeReply(exchange, reply, call);
    return finished(exchange);
  }
  await cutOff(exchange, reply, call, answer.disconnectAfter);
}

/** For trying out what a client does when its stream breaks. */
async function cutOff(exchange: Exchange, reply: ModelReply, call: ModelCall, bytes: number): Promise<void> {
  const { client } = exchange;
  let left = bytes;
  const limited: Client = Object.create(client, {
    write: {
      value: async (chunk: Uint8Array) => {
        const part = chunk.subarray(0, left);
        left -= part.length;
        await client.write(part);
      },
    },
    begin: {
      value: (status: number, headers: Record<string, string>) => {
        const { "content-length": _, ...rest } = headers;
        client.begin(status, rest);
      },
    },
    end: { value: () => client.cut() },
  });
  await writeReply({ ...exchange, client: limited }, reply, call);
  ended(exchange, "failed", "provider", "The scripted reply was cut off.");
}

/** Plays a recorded reply again, byte for byte. Never asks anybody else. */
export async function replay(
  exchange: Exchange,
  cassette: Cassette,
  { lane, places, intake }: GatewayOptions,
): Promise<void> {
  const { client, protocol } = exchange;
  const played = counted(intake, () =>
    cassette.play(laneOf(lane, exchange.model!.role), requestKey(protocol.name, exchange.body, places)),
  );
  if (played.status === "missed") {
    ended(exchange, "failed", "user", played.message);
    return tell(exchange, invalid(played.message, { code: "cassette_miss" }), 400);
  }
  const { entry, body } = played;
  exchange.recorded = { ...entry.ledger, replayed: true };
  exchange.outcome = entry.ledger.outcome as Exchange["outcome"];
  client.begin(entry.status, { "content-type": entry.contentType });
  await client.write(body);
  client.end();
}
