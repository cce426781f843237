import { secretMasker } from "../../wording/secrets.ts";
import type { CallProblem, ModelCall, ReplyEvent } from "../call.ts";
import { worthMasking } from "../masking.ts";
import { collectReply } from "../reply-events.ts";
import { stallTimer } from "../transport/send.ts";
import type { Got } from "./ask-provider.ts";
import { type Delivery, finished, replyHeaders, writeReply } from "./deliver.ts";
import { ended, tell } from "./exchange.ts";
import { usageFilter } from "./hide-usage.ts";
import { brokenReply, systemMessage } from "./problems.ts";

type Stream = Extract<Got, { kind: "stream" }>;

/** Passes a stream on byte for byte, as it comes. */
export async function passStream(delivery: Delivery, stream: Stream): Promise<void> {
  const { exchange, alive, signal, key } = delivery;
  const { client } = exchange;
  // A key that the provider says again in two pieces is masked, too.
  const masker = secretMasker(worthMasking([key]));
  if (!client.started) client.begin(200, replyHeaders(stream.headers, key));
  const filter = exchange.usageAdded ? usageFilter() : null;
  let border = true;
  const pass = async (bytes: Buffer) => {
    const wanted = filter === null ? bytes : filter.push(bytes);
    if (wanted.length > 0) await client.write(wanted);
  };
  const failure = await readThrough(delivery, stream, async (chunk) => {
    await pass(masker.push(chunk));
    border = filter === null ? endsEvent(chunk) : filter.atBorder;
    alive.flowed(border);
  });
  signal.throwIfAborted();
  await pass(masker.end());
  if (filter !== null) {
    const rest = filter.end();
    border &&= rest.length === 0;
    await client.write(rest);
  }
  const said = exchange.metered?.problem ?? null;
  if (failure === null && said === null) {
    client.end();
    return finished(exchange);
  }
  const message = failure ?? said!.message;
  ended(exchange, "failed", "provider", message);
  // An error that the provider put into its stream has been passed on with it; one that ends too early says nothing.
  if (failure === null && said!.kind !== "broken") client.end();
  else if (border) await tell(exchange, brokenReply(message));
  else client.cut();
}

/** Writes a stream of another protocol as the client's own. */
export async function translateStream(delivery: Delivery, stream: Stream, call: ModelCall): Promise<void> {
  const { exchange, from, alive, signal, key } = delivery;
  const { client } = exchange;
  const masker = secretMasker(worthMasking([key]));
  const reader = from.streamReader();
  const writer = exchange.protocol.streamWriter(call);
  let problem: CallProblem | null = null;
  if (!client.started) client.begin(200, writer.headers);
  const pass = async (events: readonly ReplyEvent[]) => {
    for (const event of events) {
      if (event.type === "error") problem ??= event.problem;
      await client.write(Buffer.from(writer.write(event)));
    }
  };
  const failure = await readThrough(delivery, stream, async (chunk) => {
    await pass(reader.push(masker.push(chunk)));
    alive.flowed(true);
  });
  signal.throwIfAborted();
  if (failure === null) await pass([...reader.push(masker.end()), ...reader.end()]);
  else if (problem === null) await pass([{ type: "error", problem: brokenReply(failure) }]);
  client.end();
  if (problem === null) finished(exchange);
  else ended(exchange, "failed", "provider", (problem as CallProblem).message);
}

/** The provider streams what was to come whole: it is gathered first. */
export async function gatherStream(delivery: Delivery, stream: Stream, call: ModelCall): Promise<void> {
  const { exchange, from, signal, key } = delivery;
  const masker = secretMasker(worthMasking([key]));
  const reader = from.streamReader();
  const reply = collectReply();
  const add = (events: readonly ReplyEvent[]) => {
    for (const event of events) reply.add(event);
  };
  const failure = await readThrough(delivery, stream, async (chunk) => add(reader.push(masker.push(chunk))));
  signal.throwIfAborted();
  if (failure === null) add([...reader.push(masker.end()), ...reader.end()]);
  const outcome = failure === null ? reply.outcome : null;
  if (outcome?.ok) {
    exchange.notes.push("the provider streamed its reply, though it was to come whole");
    await writeReply(exchange, outcome.value, call);
    return finished(exchange);
  }
  const problem = outcome?.problem ?? brokenReply(failure ?? "The provider's stream has no end.");
  ended(exchange, "failed", "provider", problem.message);
  await tell(exchange, problem);
}

/**
 * Reads a stream to its end with a meter beside it; says what was wrong with the connection, if anything. What is alive but says
 * nothing (comments, pings) is ended after some time like what stalls.
 */
async function readThrough(
  { exchange, from, quietMs }: Delivery,
  { chunks, cut }: Stream,
  take: (chunk: Buffer) => Promise<void>,
): Promise<string | null> {
  const meter = from.meter(true);
  const quiet = stallTimer(quietMs, () =>
    cut(new Error(`it said nothing of its reply for ${quietMs / 1000} s, and kept the connection open`)),
  );
  try {
    for await (const chunk of chunks) {
      const said = meter.push(chunk);
      // While the client does not read, nobody waits for the provider.
      quiet.hold();
      await take(chunk);
      if (said) quiet.again();
      else quiet.goOn();
    }
    return null;
  } catch (error) {
    return `The provider's stream broke off: ${systemMessage(error)}.`;
  } finally {
    quiet.stop();
    exchange.metered = meter.end();
  }
}

function endsEvent(chunk: Buffer): boolean {
  const end = chunk.subarray(-4).toString("latin1");
  return end.endsWith("\n\n") || end.endsWith("\r\n\r\n") || end.endsWith("\r\r");
}
