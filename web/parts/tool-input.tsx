import { Code } from "./code.tsx";

const LONGEST_BESIDE = 300;

/** What a tool was told; a single command or script in it is shown as such, below what else it was told. */
export function ToolInput({ text, label }: { text: string; label: string }) {
  const pretty = prettyInput(text);
  return (
    <>
      {pretty.beside !== "" && <p class="note">{pretty.beside}</p>}
      <Code text={pretty.text} language={pretty.language} label={label} />
    </>
  );
}

function prettyInput(text: string): { text: string; language: string; beside: string } {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const entries = Object.entries(value ?? {});
    const long = entries.find(([, one]) => typeof one === "string" && one.includes("\n"));
    // A second long text, or a list, has no place in a line: then all of it is shown as it is.
    const others = entries.filter((entry) => entry !== long).map(([key, one]) => `${key}: ${wordOf(one)}`);
    if (long !== undefined && others.every((one) => one.length <= LONGEST_BESIDE && !one.includes("\n")))
      return {
        text: long[1] as string,
        language: /code|python/.test(long[0]) ? "python" : "bash",
        beside: others.join(", "),
      };
    if (entries.length === 1 && typeof entries[0][1] === "string")
      return { text: entries[0][1], language: "bash", beside: "" };
    return { text: JSON.stringify(value, null, 2), language: "json", beside: "" };
  } catch {
    return { text, language: "bash", beside: "" };
  }
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
