import Anthropic from "@anthropic-ai/sdk";
import { type Content, FunctionCallingConfigMode, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import type { ProtocolName } from "../../../../../src/models/call.ts";

/** What a client got, in words all four have. */
export interface Answer {
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  inputTokens: number;
  outputTokens: number;
  stop: string;
}

/** A conversation through an official package: each turn keeps what came before exactly as the package gave it. */
export interface Conversation {
  ask(text: string): Promise<Answer>;
  /** The result of the call of the last turn. */
  result(text: string): Promise<Answer>;
}

/** Whom a client asks for, and with what. */
interface Asking {
  model: string;
  token: string;
}
const USUAL: Asking = { model: "m", token: "token" };

const SYSTEM = "You are careful.";
const PARAMETERS = {
  type: "object" as const,
  properties: { command: { type: "string" } },
  required: ["command"],
};

function chat(url: string, stream: boolean, { model, token } = USUAL): Conversation {
  const client = new OpenAI({ apiKey: token, baseURL: `${url}/v1`, maxRetries: 0 });
  const history: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: SYSTEM }];
  const go = async (): Promise<Answer> => {
    const tools = [{ type: "function" as const, function: { name: "bash", parameters: PARAMETERS } }];
    const request = { model, messages: history, tools };
    const reply = stream
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(request);
    const { message, finish_reason } = reply.choices[0]!;
    history.push(message as OpenAI.ChatCompletionMessageParam);
    const calls = (message.tool_calls ?? []).flatMap((call) =>
      call.type === "function"
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    );
    return {
      text: message.content ?? "",
      calls,
      inputTokens: reply.usage?.prompt_tokens ?? -1,
      outputTokens: reply.usage?.completion_tokens ?? -1,
      stop: finish_reason,
    };
  };
  return {
    ask(text) {
      history.push({ role: "user", content: text });
      return go();
    },
    result(text) {
      const last = history.at(-1) as OpenAI.ChatCompletionAssistantMessageParam;
      history.push({ role: "tool", tool_call_id: last.tool_calls![0]!.id, content: text });
      return go();
    },
  };
}

function responses(url: string, stream: boolean, { model, token } = USUAL): Conversation {
  const client = new OpenAI({ apiKey: token, baseURL: `${url}/v1`, maxRetries: 0 });
  const history: OpenAI.Responses.ResponseInputItem[] = [];
  let callId = "";
  const go = async (): Promise<Answer> => {
    const tools = [{ type: "function" as const, name: "bash", parameters: PARAMETERS, strict: false }];
    const request = { model, instructions: SYSTEM, input: history, tools, store: false };
    const reply = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    if (reply.error) throw new Error(reply.error.message);
    history.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = reply.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }]
        : [],
    );
    callId = calls[0]?.id ?? "";
    return {
      text: reply.output_text,
      calls,
      inputTokens: reply.usage?.input_tokens ?? -1,
      outputTokens: reply.usage?.output_tokens ?? -1,
      stop: reply.status ?? "",
    };
  };
  return {
    ask(text) {
      history.push({ role: "user", content: text });
      return go();
    },
    result(text) {
      history.push({ type: "function_call_output", call_id: callId, output: text });
      return go();
    },
  };
}

function messages(url: string, stream: boolean, { model, token } = USUAL): Conversation {
  const client = new Anthropic({ apiKey: token, baseURL: url, maxRetries: 0 });
  const history: Anthropic.MessageParam[] = [];
  const go = async (): Promise<Answer> => {
    const tools = [{ name: "bash", input_schema: PARAMETERS }];
    const request = { model, max_tokens: 500, system: SYSTEM, messages: history, tools };
    const reply = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    history.push({ role: "assistant", content: reply.content as Anthropic.ContentBlockParam[] });
    const { usage } = reply;
    return {
      text: reply.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: reply.content.flatMap((block) =>
        block.type === "tool_use" ? [{ id: block.id, name: block.name, input: block.input }] : [],
      ),
      inputTokens:
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      outputTokens: usage.output_tokens,
      stop: reply.stop_reason ?? "",
    };
  };
  return {
    ask(text) {
      history.push({ role: "user", content: text });
      return go();
    },
    result(text) {
      const last = history.at(-1)!.content as Anthropic.ContentBlockParam[];
      const call = last.find((block) => block.type === "tool_use")!;
      history.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: text }] });
      return go();
    },
  };
}

function gemini(url: string, stream: boolean, { model, token } = USUAL): Conversation {
  const client = new GoogleGenAI({ apiKey: token, httpOptions: { baseUrl: url } });
  const history: Content[] = [];
  const go = async (): Promise<Answer> => {
    const config = {
      systemInstruction: SYSTEM,
      tools: [{ functionDeclarations: [{ name: "bash", parametersJsonSchema: PARAMETERS }] }],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
    };
    const request = { model, contents: history, config };
    const replies = stream
      ? await client.models.generateContentStream(request)
      : [await client.models.generateContent(request)];
    const parts: NonNullable<Content["parts"]> = [];
    const answer: Answer = { text: "", calls: [], inputTokens: -1, outputTokens: -1, stop: "" };
    for await (const reply of replies) {
      for (const part of reply.candidates?.[0]?.content?.parts ?? []) {
        parts.push(part);
        if (part.text && !part.thought) answer.text += part.text;
        if (part.functionCall) {
          answer.calls.push({
            id: part.functionCall.id ?? "",
            name: part.functionCall.name ?? "",
            input: part.functionCall.args,
          });
        }
      }
      const usage = reply.usageMetadata;
      if (usage) {
        answer.inputTokens = usage.promptTokenCount ?? -1;
        answer.outputTokens = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
      }
      answer.stop = reply.candidates?.[0]?.finishReason ?? answer.stop;
    }
    history.push({ role: "model", parts });
    return answer;
  };
  return {
    ask(text) {
      history.push({ role: "user", parts: [{ text }] });
      return go();
    },
    result(text) {
      const call = history.at(-1)!.parts!.find((part) => part.functionCall)!.functionCall!;
      const { id, name } = call;
      const response = { ...(id ? { id } : {}), name: name!, response: { output: text } };
      history.push({ role: "user", parts: [{ functionResponse: response }] });
      return go();
    },
  };
}

export const clients: Record<ProtocolName, (url: string, stream: boolean, asking?: Asking) => Conversation> =
  {
    chat,
    responses,
    messages,
    gemini,
  };
