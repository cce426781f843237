import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = { bash, javascript, json, markdown, python, r, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);

const BY_ENDING: Record<string, keyof typeof LANGUAGES> = {
  py: "python",
  ipynb: "json",
  js: "javascript",
  mjs: "javascript",
  ts: "javascript",
  json: "json",
  jsonl: "json",
  sh: "bash",
  md: "markdown",
  r: "r",
  yaml: "yaml",
  yml: "yaml",
};

/** Longer texts are shown plain: a page must not stand still for colours. */
const MAX_CHARACTERS = 150_000;

export function languageOf(path: string): string | null {
  return BY_ENDING[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? null;
}

/** Code with its colours. What comes from elsewhere is escaped by the highlighter. */
export function Code({ text, language, label }: { text: string; language: string | null; label: string }) {
  const known =
    language !== null && text.length <= MAX_CHARACTERS && highlighter.getLanguage(language) !== undefined;
  if (!known)
    return (
      <pre class="log code" tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    );
  const { value } = highlighter.highlight(text, { language, ignoreIllegals: true });
  return (
    <pre class="log code" tabIndex={0} role="group" aria-label={label}>
      <code dangerouslySetInnerHTML={{ __html: value }} />
    </pre>
  );
}
