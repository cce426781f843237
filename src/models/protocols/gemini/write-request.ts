import type {
  CallSettings,
  Effort,
  JsonObject,
  JsonValue,
  Message,
  ModelCall,
  Outcome,
  ReplyPart,
  ToolChoice,
  UserPart,
} from "../../call.ts";
import { asUserText, fitIds, joinNeighbours, withFunctionsOnly } from "../conversation.ts";
import { refusal } from "../problems.ts";
import type { WrittenRequest } from "../protocol.ts";
import { NO_SIGNATURE, ownSignature, replyPartWriter } from "./parts.ts";

const ID_RULE = { pattern: /^[\x21-\x7e]+$/, maxLength: 128 };

export function writeRequest(original: ModelCall): Outcome<WrittenRequest> {
  const notes = new Set<string>();
  const call = withFunctionsOnly(original, notes);
  const fitted = fitIds(call.messages, ID_RULE);
  if (!fitted.ok) return fitted;
  const contents = writeContents(fitted.value, call.model, notes);
  if (!contents.ok) return contents;
  const body: JsonObject = { contents: contents.value };
  if (call.system.length > 0) body.systemInstruction = { parts: call.system.map((text) => ({ text })) };
  if (call.tools.length > 0) {
    const functionDeclarations = call.tools.map((tool): JsonObject => {
      const declaration: JsonObject = { name: tool.name };
      if (tool.description !== null) declaration.description = tool.description;
      if (tool.schema !== null) declaration.parametersJsonSchema = tool.schema;
      return declaration;
    });
    body.tools = [{ functionDeclarations }];
    if (call.toolChoice) body.toolConfig = { functionCallingConfig: writeToolChoice(call.toolChoice) };
    if (call.settings.parallelToolCalls === false) notes.add("one tool call at a time");
  }
  const config = writeSettings(call.settings, call.model);
  if (Object.keys(config).length > 0) body.generationConfig = config;
  const path = geminiPath(call.model, call.stream);
  return { ok: true, value: { method: "POST", path, headers: {}, body, notes: [...notes] } };
}

export function geminiPath(model: string, stream: boolean): string {
  const name = encodeURIComponent(model.replace(/^models\//, ""));
  return `/v1beta/models/${name}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

function writeSettings(settings: CallSettings, model: string): JsonObject {
  const plain: Record<string, JsonValue | undefined> = {
    temperature: settings.temperature,
    topP: settings.topP,
    topK: settings.topK,
    maxOutputTokens: settings.maxOutputTokens,
    stopSequences: settings.stop,
    seed: settings.seed,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    responseMimeType: settings.json ? "application/json" : undefined,
    responseJsonSchema: settings.json?.schema ?? undefined,
    thinkingConfig: writeThinking(settings, model),
  };
  const entries = Object.entries(plain).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

const LEVELS: Record<Exclude<Effort, "none">, string> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
/** Models up to 2.5 know budgets instead of levels. */
const BUDGETS: Record<string, number> = { MINIMAL: 512, LOW: 1024, MEDIUM: 8192, HIGH: 24_576 };

function writeThinking({ effort, thinkingBudget }: CallSettings, model: string): JsonObject | undefined {
  if (effort === "none") return { thinkingBudget: 0 };
  if (thinkingBudget !== undefined) return { thinkingBudget, includeThoughts: true };
  if (effort === undefined) return undefined;
  const level = LEVELS[effort];
  const amount: JsonObject = /gemini-[12]/.test(model)
    ? { thinkingBudget: BUDGETS[level]! }
    : { thinkingLevel: level };
  return { ...amount, includeThoughts: true };
}

interface Turn {
  role: string;
  content: JsonObject[];
}

function writeContents(messages: Message[], model: string, notes: Set<string>): Outcome<JsonObject[]> {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "assistant")
      turns.push({ role: "model", content: writeModelTurn(message.parts, model, notes) });
    else if (message.role === "system") {
      notes.add("an instruction in the middle of the conversation went into the user's message");
      turns.push({ role: "user", content: message.parts.map((part) => ({ text: asUserText(part.text) })) });
    } else {
      const content: JsonObject[] = [];
      for (const part of message.parts) {
        const written = writeUserPart(part);
        if (!written.ok) return written;
        content.push(...written.value);
      }
      turns.push({ role: "user", content });
    }
  }
  const filled = joinNeighbours(turns.filter((turn) => turn.content.length > 0));
  if (filled.length === 0) filled.push({ role: "user", content: [{ text: "(no content)" }] });
  // Results directly follow the calls they belong to.
  const results = (content: JsonObject[]) => content.filter((part) => part.functionResponse !== undefined);
  const rest = (content: JsonObject[]) => content.filter((part) => part.functionResponse === undefined);
  return {
    ok: true,
    value: filled.map(({ role, content }) => ({ role, parts: [...results(content), ...rest(content)] })),
  };
}

function writeModelTurn(parts: ReplyPart[], model: string, notes: Set<string>): JsonObject[] {
  const writer = replyPartWriter();
  const written: JsonObject[] = [];
  for (const part of parts) {
    const signature = part.type === "thinking" ? ownSignature(part.opaque) : null;
    if (part.type === "thinking") {
      if (signature === null) notes.add("thinking of earlier turns");
      written.push(...writer.write({ ...part, text: "" }, signature));
    } else written.push(...writer.write(part, null));
  }
  written.push(...writer.rest());
  const first = written.find((part) => part.functionCall !== undefined);
  // A call this service did not make has no signature, and newer models ask for one.
  if (first && first.thoughtSignature === undefined && !/gemini-[12]/.test(model))
    first.thoughtSignature = NO_SIGNATURE;
  return written;
}

function writeUserPart(part: UserPart): Outcome<JsonObject[]> {
  if (part.type === "text") return { ok: true, value: part.text === "" ? [] : [{ text: part.text }] };
  if (part.type === "image") {
    const { source } = part;
    if (source.kind === "url") {
      return refusal(
        "a picture by its address cannot be carried over to this model; send its bytes",
        "image",
      );
    }
    return { ok: true, value: [{ inlineData: { mimeType: source.mediaType, data: source.data } }] };
  }
  const text = part.content.filter((piece) => piece.type === "text").map((piece) => piece.text);
  const response = { [part.isError ? "error" : "output"]: text.join("\n") };
  const written: JsonObject[] = [{ functionResponse: { id: part.callId, name: part.name ?? "", response } }];
  for (const image of part.content.filter((piece) => piece.type === "image")) {
    const picture = writeUserPart(image);
    if (!picture.ok) return picture;
    written.push(...picture.value);
  }
  return { ok: true, value: written };
}

function writeToolChoice(choice: ToolChoice): JsonObject {
  if (choice.type === "tool") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: choice.type.toUpperCase() };
}
