import type { JsonObject, Opaque, ThinkingPart } from "../../call.ts";
import { isObject, textOf } from "../json.ts";
import { seal, unseal } from "../opaque.ts";

/** A thinking block, or null for any other. One with a signature of ours holds the thinking of another protocol. */
export function readThinking(block: JsonObject): ThinkingPart | null {
  if (block.type === "redacted_thinking")
    return { type: "thinking", text: "", opaque: { protocol: "messages", value: block } };
  if (block.type !== "thinking") return null;
  const text = textOf(block.thinking) ?? "";
  return { type: "thinking", text, opaque: opaqueOf(block, textOf(block.signature) ?? "") };
}

function opaqueOf(block: JsonObject, signature: string): Opaque | null {
  if (signature === "") return null;
  return unseal(signature) ?? { protocol: "messages", value: block };
}

/** The block as its own provider wrote it, null for the thinking of another one. */
export function ownBlock(opaque: Opaque | null): JsonObject | null {
  return opaque?.protocol === "messages" && isObject(opaque.value) ? opaque.value : null;
}

export function writeThinking(text: string, opaque: Opaque | null): JsonObject {
  return ownBlock(opaque) ?? { type: "thinking", thinking: text, signature: signatureOf(opaque) };
}

export function signatureOf(opaque: Opaque | null): string {
  const own = ownBlock(opaque);
  if (own) return textOf(own.signature) ?? "";
  return opaque ? seal(opaque) : "";
}
