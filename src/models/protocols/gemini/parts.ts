import type { JsonObject, JsonValue, Opaque, ReplyPart, ThinkingPart } from "../../call.ts";
import { argumentsObject, argumentsText } from "../arguments.ts";
import { isObject, objectOf, textOf } from "../json.ts";
import { seal, unseal } from "../opaque.ts";
import { camel } from "./fields.ts";

/**
 * This protocol hangs the signature of its thinking on the part that follows it. In the internal form it is a thinking part before
 * that part, so that any other protocol can carry it.
 */
function signatureBefore(part: JsonObject): ThinkingPart | null {
  const signature = textOf(part.thoughtSignature);
  if (!signature || signature === NO_SIGNATURE) return null;
  return {
    type: "thinking",
    text: "",
    opaque: unseal(signature) ?? { protocol: "gemini", value: signature },
  };
}

/** What the service takes in place of the signature of a call it did not make itself. */
export const NO_SIGNATURE = "skip_thought_signature_validator";

/** The signature under which a thinking part goes to a client, or null for thinking without one. */
export function signatureOf(opaque: Opaque | null): string | null {
  return ownSignature(opaque) ?? (opaque ? seal(opaque) : null);
}

export function ownSignature(opaque: Opaque | null): string | null {
  return opaque?.protocol === "gemini" ? textOf(opaque.value) : null;
}

/** The parts of a model's turn; `callId` gives the id of a call that has none. Parts of other kinds are left out. */
export function readReplyPart(value: JsonValue, callId: (name: string) => string): ReplyPart[] {
  const part = camel(value);
  const before = signatureBefore(part);
  const parts: ReplyPart[] = [];
  const text = textOf(part.text);
  if (part.thought === true) return [{ type: "thinking", text: text ?? "", opaque: before?.opaque ?? null }];
  if (before) parts.push(before);
  if (isObject(part.functionCall)) {
    const name = textOf(part.functionCall.name) ?? "";
    const id = textOf(part.functionCall.id) || callId(name);
    parts.push({
      type: "tool-call",
      id,
      name,
      kind: "function",
      input: argumentsText(part.functionCall.args),
    });
  } else if (text !== null && text !== "") parts.push({ type: "text", text });
  return parts;
}

/** Text of one kind that arrived in several parts is one. */
export function joinTexts(parts: ReplyPart[]): ReplyPart[] {
  const joined: ReplyPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === "text" && last?.type === "text") last.text += part.text;
    else if (part.type === "thinking" && last?.type === "thinking" && last.opaque === null) {
      last.text += part.text;
      last.opaque = part.opaque;
    } else joined.push({ ...part });
  }
  return joined;
}

/**
 * Writes parts of a turn. A signature waits for the next part that is not thinking; one that finds none stands on an empty text, as
 * the service itself writes it.
 */
export function replyPartWriter(): {
  write(part: ReplyPart, signature: string | null): JsonObject[];
  rest(): JsonObject[];
} {
  let waiting: string | null = null;
  const rest = (): JsonObject[] => {
    const parts = waiting === null ? [] : [{ text: "", thoughtSignature: waiting }];
    waiting = null;
    return parts;
  };
  return {
    rest,
    write(part, signature) {
      if (part.type === "thinking") {
        const before = signature === null ? [] : rest();
        waiting = signature ?? waiting;
        return part.text === "" ? before : [...before, { text: part.text, thought: true }];
      }
      if (part.type !== "tool-call" && part.text === "") return [];
      const written: JsonObject =
        part.type === "tool-call"
          ? { functionCall: { id: part.id, name: part.name, args: argumentsObject(part.input) } }
          : { text: part.text };
      if (waiting !== null) written.thoughtSignature = waiting;
      waiting = null;
      return [written];
    },
  };
}

/** The text of a function's response: {output} and {error} are the service's own names, anything else stays JSON. */
export function responseText(value: JsonValue | undefined): { text: string; isError: boolean } {
  const response = objectOf(value);
  const keys = Object.keys(response);
  for (const key of ["output", "error", "result"]) {
    const inner = response[key];
    if (keys.length === 1 && inner !== undefined) {
      return { text: typeof inner === "string" ? inner : JSON.stringify(inner), isError: key === "error" };
    }
  }
  return { text: keys.length === 0 ? "" : JSON.stringify(response), isError: false };
}
