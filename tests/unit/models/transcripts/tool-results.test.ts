import { describe, expect, test } from "vitest";
import type { ProtocolName } from "../../../../src/models/call.ts";
import { askedTools, resultsIn } from "../../../../src/models/transcripts/tool-results.ts";
import { understand } from "../../../../src/models/transcripts/understand.ts";

const call = (id: string, command: string) => ({
  id,
  type: "function",
  function: { name: "bash", arguments: JSON.stringify({ command }) },
});
const chatReply = (...calls: object[]) => ({
  choices: [
    { message: { role: "assistant", content: null, tool_calls: calls }, finish_reason: "tool_calls" },
  ],
});
const chat = (...messages: object[]) => ({
  model: "m",
  messages: [{ role: "user", content: "go" }, ...messages],
});
const said = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });
const told = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });

const native = (command: string, id?: string) => ({
  functionCall: { name: "bash", args: { command }, ...(id === undefined ? {} : { id }) },
});
const response = (result: string, id?: string) => ({
  functionResponse: { name: "bash", response: { result }, ...(id === undefined ? {} : { id }) },
});
const geminiReply = (...parts: object[]) => ({ candidates: [{ content: { role: "model", parts } }] });
const gemini = (...contents: object[]) => ({
  contents: [{ role: "user", parts: [{ text: "go" }] }, ...contents],
});

/** What the tools of a reply brought, by a later prompt. */
function results(protocol: ProtocolName, reply: object, later: object): (string | null)[] {
  const bytes = Buffer.from(JSON.stringify(reply));
  const of = (request: Buffer | null, answer: Buffer | null) =>
    understand({ call: 0, protocol, request, reply: answer, note: null });
  const { request } = of(Buffer.from(JSON.stringify(later)), null);
  if ("unreadable" in request) throw new Error(request.unreadable);
  const resultFor = resultsIn(request.messages);
  return askedTools(of(null, bytes).reply, bytes).map((asked) => {
    const [item] = resultFor(asked)?.content ?? [];
    return item?.type === "text" ? item.text : null;
  });
}

describe("what a tool brought", () => {
  const reply = chatReply(call("call_1", "ls"), call("call_2", "pwd"));

  test("is found by the id of the call", () => {
    const later = chat(
      said(call("call_1", "ls"), call("call_2", "pwd")),
      told("call_2", "/"),
      told("call_1", "a b"),
    );
    expect(results("chat", reply, later)).toEqual(["a b", "/"]);
  });

  test("is found where the client wrote the same input in another way", () => {
    const spaced = { ...call("call_1", ""), function: { name: "bash", arguments: '{ "command": "ls" }' } };
    expect(results("chat", reply, chat(said(spaced), told("call_1", "a b")))).toEqual(["a b", null]);
  });

  test("is not what another conversation was told for the same id", () => {
    const later = chat(
      said(call("call_1", "rm x"), call("call_2", "pwd")),
      told("call_1", "gone"),
      told("call_2", "/"),
    );
    expect(results("chat", reply, later)).toEqual([null, "/"]);
  });

  test("is the last one where a conversation begins to count anew", () => {
    const [first, second] = [said(call("call_1", "date")), said(call("call_1", "ls"))];
    const later = chat(first, told("call_1", "noon"), second, told("call_1", "a b"));
    expect(results("chat", reply, later)).toEqual(["a b", null]);
  });

  test("is found in a prompt that goes on from an earlier one and names only the result", () => {
    const output = (id: string, text: string) => ({
      type: "function_call_output",
      call_id: id,
      output: text,
    });
    const asked = { type: "function_call", call_id: "call_9", name: "bash", arguments: '{"command":"ls"}' };
    const later = { model: "m", previous_response_id: "r", input: [output("call_9", "a b")] };
    expect(results("responses", { id: "r", status: "completed", output: [asked] }, later)).toEqual(["a b"]);
  });

  test("is found by its place where Gemini gives no ids, and by them where it does", () => {
    const model = (...parts: object[]) => ({ role: "model", parts });
    const user = (...parts: object[]) => ({ role: "user", parts });
    const before = [model(native("date")), user(response("noon"))];
    const later = gemini(...before, model(native("ls"), native("pwd")), user(response("a b"), response("/")));
    expect(results("gemini", geminiReply(native("ls"), native("pwd")), later)).toEqual(["a b", "/"]);
    expect(results("gemini", geminiReply(native("who"), native("pwd")), later)).toEqual([null, "/"]);
    const named = gemini(model(native("ls", "x1")), user(response("a b", "x1")));
    expect(results("gemini", geminiReply(native("ls", "x1")), named)).toEqual(["a b"]);
  });
});
