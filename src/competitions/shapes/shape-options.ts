import { badCompetition } from "../../wording/bad-competition.ts";

type Kind = "text" | "texts" | "function";

const WORDS: Record<Kind, string> = {
  text: "the name of a column",
  texts: "a list of names",
  function: "a function",
};

/**
 * A competition of one's own is plain JavaScript, where nobody notices a forgotten option. It is told when the file is
 * loaded, not when the first submission is graded.
 */
export function requireOptions<T extends object>(shape: string, options: T, kinds: Record<string, Kind>): T {
  const given = options as Record<string, unknown>;
  for (const [name, kind] of Object.entries(kinds))
    if (!isKind(given?.[name], kind))
      throw badCompetition(
        `${shape}({ ${Object.keys(kinds).join(", ")} }) needs \`${name}\`, ${WORDS[kind]}; it was given ${wordFor(given?.[name])}`,
      );
  return options;
}

function isKind(value: unknown, kind: Kind): boolean {
  if (kind === "function") return typeof value === "function";
  if (kind === "text") return typeof value === "string" && value !== "";
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function wordFor(value: unknown): string {
  return value === undefined ? "nothing" : (JSON.stringify(value)?.slice(0, 60) ?? typeof value);
}
