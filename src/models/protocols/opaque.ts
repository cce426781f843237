import type { JsonValue, Opaque, ProtocolName } from "../call.ts";
import { parseJson, textOf } from "./json.ts";

/**
 * A provider wants its thinking back unchanged while a tool loop runs, and the client in between speaks another protocol. So the
 * thinking travels sealed in the place where the client's protocol keeps its own signatures, and is opened when it comes back.
 * The whole is valid base64, because some clients decode it.
 */
const MARK = Buffer.from("mlebench:").toString("base64");
const PROTOCOLS: ReadonlySet<string> = new Set<ProtocolName>(["chat", "responses", "messages", "gemini"]);

export function seal(opaque: Opaque): string {
  return Buffer.from(`mlebench:${JSON.stringify([opaque.protocol, opaque.value])}`).toString("base64");
}

/** What was sealed, or null for a signature that is not ours. */
export function unseal(text: JsonValue | undefined): Opaque | null {
  const sealed = textOf(text);
  if (!sealed?.startsWith(MARK)) return null;
  const content = parseJson(Buffer.from(sealed, "base64").toString("utf8").slice("mlebench:".length));
  if (!Array.isArray(content) || content.length !== 2) return null;
  const [protocol, value] = content;
  if (typeof protocol !== "string" || !PROTOCOLS.has(protocol) || value === undefined) return null;
  return { protocol: protocol as ProtocolName, value };
}
