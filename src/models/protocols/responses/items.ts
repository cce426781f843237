import type {
  ImagePart,
  JsonObject,
  JsonValue,
  Opaque,
  Outcome,
  ReplyPart,
  TextPart,
  ThinkingPart,
} from "../../call.ts";
import { isObject, listOf, objectOf, objectsOf, textOf } from "../json.ts";
import { seal, unseal } from "../opaque.ts";
import { imageFromUrl } from "../pictures.ts";
import { refusal } from "../problems.ts";

/** A reasoning item; only one that carries its content encrypted can be sent back to a service that stores nothing. */
export function readReasoning(item: JsonObject): ThinkingPart {
  const texts = [...objectsOf(item.summary), ...objectsOf(item.content)].flatMap(
    (part) => textOf(part.text) ?? [],
  );
  const encrypted = textOf(item.encrypted_content);
  const opaque: Opaque | null = encrypted
    ? (unseal(encrypted) ?? { protocol: "responses", value: item })
    : null;
  return { type: "thinking", text: texts.join("\n\n"), opaque };
}

export function ownReasoning(opaque: Opaque | null): JsonObject | null {
  return opaque?.protocol === "responses" && isObject(opaque.value) ? opaque.value : null;
}

export function writeReasoning(id: string, text: string, opaque: Opaque | null): JsonObject {
  const own = ownReasoning(opaque);
  if (own) return own;
  const item: JsonObject = {
    id,
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
  };
  if (opaque) item.encrypted_content = seal(opaque);
  return item;
}

/** Tools in a namespace are told apart by it; models know one flat list. */
export function flatName(namespace: string | null, name: string): string {
  return namespace ? `${namespace}__${name}` : name;
}

/** A call of a function or of a custom tool, or null for any other item. */
export function readCallItem(item: JsonObject): Extract<ReplyPart, { type: "tool-call" }> | null {
  const custom = item.type === "custom_tool_call";
  if (!custom && item.type !== "function_call") return null;
  const id = textOf(item.call_id) ?? textOf(item.id) ?? "";
  const name = flatName(textOf(item.namespace), textOf(item.name) ?? "");
  const input = textOf(custom ? item.input : item.arguments) ?? "";
  return { type: "tool-call", id, name, kind: custom ? "custom" : "function", input };
}

/** The content of a user's message or of a tool's output. */
export function readInputContent(
  content: JsonValue | undefined,
  where: string,
): Outcome<(TextPart | ImagePart)[]> {
  if (typeof content === "string") return { ok: true, value: [{ type: "text", text: content }] };
  const parts: (TextPart | ImagePart)[] = [];
  for (const value of listOf(content)) {
    const part = objectOf(value);
    const text = textOf(part.text);
    const url = textOf(part.image_url) ?? textOf(objectOf(part.image_url).url);
    if (text !== null && /^(?:input_|output_)?text$/.test(textOf(part.type) ?? "text"))
      parts.push({ type: "text", text });
    else if (part.type === "input_image" && url !== null) parts.push(imageFromUrl(url));
    else
      return refusal(
        `${where} has a part of type ${JSON.stringify(part.type ?? null)}, which cannot be carried over`,
        where,
      );
  }
  return { ok: true, value: parts };
}

export function readOutputContent(content: JsonValue | undefined): ReplyPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return objectsOf(content).flatMap((part): ReplyPart[] => {
    const refused = textOf(part.refusal);
    if (refused !== null) return [{ type: "refusal", text: refused }];
    const text = textOf(part.text);
    return text === null ? [] : [{ type: "text", text }];
  });
}
