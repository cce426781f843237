import path from "node:path";
import type { Evidence } from "../../findings/schema.ts";
import { evidenceOf, finding, type Rule } from "../rule.ts";
import { shellCommands, withoutDocuments } from "../shell-commands.ts";

const CLIENTS =
  /^(openai|anthropic|google\.generativeai|google\.genai|vertexai|cohere|mistralai|litellm|ollama|together|groq|replicate|langchain(_\w+)?|llama_index|dspy|instructor|pydantic_ai|smolagents|xai_sdk|ai21|azure\.ai\.(inference|openai)|@anthropic-ai\/sdk|@google\/genai|@ai-sdk|@mistralai|zhipuai|dashscope)(\.|\/|$)/;
const HOSTS =
  /\b(api\.openai\.com|api\.anthropic\.com|generativelanguage\.googleapis\.com|api\.mistral\.ai|api\.cohere\.(ai|com)|openrouter\.ai|api\.groq\.com|api\.together\.(ai|xyz)|api-inference\.huggingface\.co|[\w-]+\.openai\.azure\.com|api\.deepseek\.com|api\.x\.ai|api\.perplexity\.ai|api\.fireworks\.ai|router\.huggingface\.co|bedrock-runtime\.[\w-]+\.amazonaws\.com|dashscope\.aliyuncs\.com)\b/;
/** What servers of models on this machine, or any other, are asked for. */
const SERVED =
  /:\d{2,5}\/(api\/(generate|chat|embed)|v1\/(chat\/completions|completions|messages|responses))\b/;
const KEYS =
  /^(sk-(ant-|or-|proj-)?[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,})$/;
const KEY_NAMES =
  /^(OPENAI|ANTHROPIC|GEMINI|GOOGLE|COHERE|MISTRAL|GROQ|OPENROUTER|TOGETHER|DEEPSEEK|HUGGINGFACE)_API_(KEY|TOKEN)$/;

/** Other language models, or their keys, in code. Models that the run itself gave are allowed. */
export const otherModel: Rule = (view) => {
  const evidence: Evidence[] = [];
  // A module of its own that happens to be called like a client.
  const own = new Set(view.codeNames.map((name) => path.posix.basename(name).replace(/\.\w+$/, "")));
  for (const file of view.code) {
    // `os.environ["OPENAI_API_KEY"] = ""` takes a key away.
    const emptied = new Set(file.labels.flatMap(({ names, value }) => (value === "" ? names : [])));
    evidence.push(
      ...evidenceOf(file.name, [
        ...file.imports.filter(({ module }) => CLIENTS.test(module) && !own.has(module.split(".")[0])),
        ...file.strings.filter(
          ({ value }) =>
            HOSTS.test(value) ||
            SERVED.test(value) ||
            KEYS.test(value) ||
            (KEY_NAMES.test(value) && !emptied.has(value)),
        ),
        ...file.calls.filter(({ callee, text }) => isClient(callee, text)),
        ...file.shell.filter(({ text }) => HOSTS.test(text) || SERVED.test(text) || asks(text)),
      ]),
    );
  }
  for (const { file, line, text } of view.commands)
    if (((HOSTS.test(text) || SERVED.test(text)) && leavesProse(text)) || asks(text))
      evidence.push({ file, line, quotation: text });
  const given = view.record?.modelAccess !== undefined;
  const foreign = evidence.some(({ quotation }) => HOSTS.test(quotation) || hasKey(quotation));
  return finding(
    evidence,
    "serious",
    "Its code asks another language model, or holds the key of one.",
    given && !foreign ? "the run gave it models, through the gateway that meters them" : null,
  );
};

/** Clients that other libraries hold: a cloud's, a hub's, R's. */
function isClient(callee: string, text: string): boolean {
  return (
    (/(^|\.)(client|resource)$/.test(callee) && /["']bedrock(-agent)?-runtime["']/.test(text)) ||
    /(^|\.)(Async)?InferenceClient$/.test(callee) ||
    (/^(library|require|requireNamespace)$/.test(callee) &&
      /\(\s*["']?(openai|ellmer|chatgpt|gptstudio|tidyllm)\b/.test(text))
  );
}

const ASKED =
  /^(llm|aichat|sgpt|claude|codex|gemini|aider|opencode|goose|cursor-agent|qwen|copilot|mods|chatgpt|llama-cli|llama-server|llamafile|lms)$/;
/** Looking whether it is there. */
const LOOKS = /^(--?(version|help|v|h)|version|help)$/i;

/** `mods = [1]`: a program's line that a log has under `code`. */
const ASSIGNED = /^\w+\s*[-+*/|&]?=/;

/** Programs that talk to a model from a shell. */
function asks(line: string): boolean {
  return shellCommands(withoutDocuments(line)).some(
    ({ program, words, text }) =>
      (program === "ollama" && /^(run|pull|serve)$/.test(words[0] ?? "")) ||
      (ASKED.test(program) &&
        words.length > 0 &&
        !ASSIGNED.test(text) &&
        !words.every((word) => LOOKS.test(word))) ||
      (program === "openai" && words[0] === "api"),
  );
}

function leavesProse(line: string): boolean {
  return shellCommands(line).some(({ program }) => /^(curl|wget|http|https|python3?|node)$/.test(program));
}

function hasKey(text: string): boolean {
  return text.split(/["'`\s]+/).some((word) => KEYS.test(word));
}
