import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { plural } from "../wording/counts.ts";
import type { Problem } from "../wording/problem.ts";
import type { JsonValue, ModelCall } from "./call.ts";
import { readLedger } from "./ledger/ledger.ts";
import type { LedgerLine } from "./ledger/schema.ts";
import { valueWithoutSecrets, withoutLogin, worthMasking } from "./masking.ts";
import { protocols } from "./protocols/protocols.ts";
import { endpointUrl } from "./providers/address.ts";
import { providers } from "./providers/providers.ts";
import { keyOf, type RemoteModel } from "./resolve.ts";
import { openRunModels } from "./run-models.ts";
import { USUAL_ACCESS } from "./settings.ts";
import { readWhole, send } from "./transport/send.ts";

export interface ModelCheck {
  name: string;
  /** The line of the ledger that the call made. */
  call: LedgerLine;
  /** What it said. */
  reply: string;
  /** What the key may see, in a sentence; null where there is nothing to ask. */
  key: string | null;
}

/** The smallest that every provider accepts. */
const FEW_TOKENS = 16;
export const CHECK_PATIENCE_MS = 120_000;

/**
 * Asks a model for a few tokens, through a gateway of its own, and its provider for what the key may do. It asks once: a
 * person waits for the answer, and can ask again.
 */
export async function checkModel(
  name: string,
  modelsFile: string | null,
  { mlebenchVersion }: { mlebenchVersion: string },
): Promise<ModelCheck | Problem> {
  const settings = { ...USUAL_ACCESS, roles: { default: name }, modelsFile, transcripts: "none" as const };
  const models = await openRunModels(settings, { mlebenchVersion, timing: { tries: 1 } });
  if ("code" in models) return models;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-check-"));
  const [{ model, id }] = models.roles;
  const gateway = await models.openGateway({
    listen: { port: 0, host: "127.0.0.1" },
    folder,
    lane: "check",
    seed: 0,
    places: [],
    remainingMs: CHECK_PATIENCE_MS,
    secrets: [],
    withToken: false,
  });
  try {
    const protocol = protocols[model.kind === "remote" ? model.protocols[0] : "chat"];
    const compatible = model.kind === "remote" && providers[model.provider].copies === true;
    const written = protocol.writeRequest(smallCall(id), { compatible });
    if (!written.ok)
      return { code: "CANNOT_ASK", message: written.problem.message, nextStep: "see docs/models.md" };
    const signal = AbortSignal.timeout(CHECK_PATIENCE_MS);
    const answer = await send({
      url: new URL(written.value.path, gateway.url!),
      method: "POST",
      headers: { ...written.value.headers, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(written.value.body)),
      signal,
    });
    const text = (await readWhole(answer.stream)).toString("utf8");
    await gateway.close();
    const call = readLedger(path.join(folder, "ledger.jsonl")).lines[0];
    const key = model.kind === "remote" ? await keySentence(model) : null;
    return valueWithoutSecrets(
      { name: model.name, call, reply: replyText(protocol.name, text), key },
      worthMasking(models.keys()),
    );
  } catch (error) {
    return {
      code: "NO_ANSWER",
      message: `${withoutLogin(name)} does not answer: ${(error as Error).message}`,
      nextStep: "check its address and the network",
    };
  } finally {
    await gateway.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function smallCall(model: string): ModelCall {
  return {
    model,
    system: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "Say OK." }] }],
    tools: [],
    toolChoice: null,
    settings: { maxOutputTokens: FEW_TOKENS },
    stream: false,
    notes: [],
  };
}

function replyText(protocol: keyof typeof protocols, text: string): string {
  try {
    const read = protocols[protocol].readReply(JSON.parse(text) as JsonValue);
    if (!read.ok) return "";
    return read.value.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  } catch {
    return "";
  }
}

async function keySentence(model: RemoteModel): Promise<string> {
  const found = keyOf(model);
  const protocol = protocols[model.protocols[0]];
  if ("code" in found) return found.message;
  const authorize = providers[model.provider].authorize ?? protocol.authorize;
  const listPath = protocol.name === "gemini" ? "/v1beta/models" : "/v1/models";
  try {
    const { status, stream } = await send({
      url: endpointUrl(model.baseUrl, listPath),
      method: "GET",
      headers: {
        "accept-encoding": "identity",
        "anthropic-version": "2023-06-01",
        ...(found.key === null ? {} : authorize(found.key)),
      },
      body: null,
      signal: AbortSignal.timeout(20_000),
    });
    const body = JSON.parse((await readWhole(stream)).toString("utf8")) as {
      data?: unknown[];
      models?: unknown[];
    };
    const listed = (body.data ?? body.models ?? []) as { id?: string; name?: string }[];
    if (status !== 200) return `its list of models is not for this key (status ${status})`;
    const isThere = listed.some(({ id, name }) => (id ?? name ?? "").replace(/^models\//, "") === model.id);
    return `the key may use ${plural(listed.length, "model")}${isThere ? ", this one among them" : "; this one is not in the list"}`;
  } catch {
    return "its list of models cannot be read";
  }
}
