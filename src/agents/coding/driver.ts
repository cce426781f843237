/** What a driver knows of the place it works in. */
export interface DriverPlace {
  /** Fresh for every trial, writable. */
  home: string;
  /** Where the program is started. */
  folder: string;
  /** The gateway's address, without a path. */
  url: string;
  token: string;
  model: string;
}

export interface OwnTokens {
  input: number;
  output: number;
}

/** What one line of a program's output says; absent fields say nothing. */
export interface LineFacts {
  /** 1 where a reply of the model begins: a turn is one reply, in however many lines a program shows it. */
  turns?: number;
  /** Each counts as a call, when it has ended; the status where the program tells it. */
  tools?: readonly { name: string; exitCode: number | null }[];
  /** Tools that ended with another status than 0, or failed without one. */
  failedCommands?: number;
  /** The program's own count, compared with the gateway's ledger. */
  inputTokens?: number;
  outputTokens?: number;
  /** The same, where the program says what its whole conversation has come to, earlier runs included. */
  conversation?: OwnTokens;
  error?: string;
}

/** How one program is pointed at the gateway, started, continued and read. */
export interface Driver {
  /** Its configuration, by path below `home`: the home is not kept, so the token in it is not either. */
  files(place: DriverPlace): Record<string, string>;
  env(place: DriverPlace): Record<string, string>;
  /** Arguments behind the program; `resume` goes on in the last conversation. */
  arguments(place: DriverPlace, prompt: string, resume: boolean): string[];
  read(line: Record<string, unknown>, soFar: SoFar): LineFacts;
}

/** What came before on the stream of one run of a program. */
export interface SoFar {
  /** The line before; empty at the start. */
  previous: Record<string, unknown>;
  /** Tools that were started on an earlier line and have not ended: their names by id. */
  started: Map<string, string>;
}

export const streamStart = (): SoFar => ({ previous: {}, started: new Map() });

const MAX_STARTED = 1000;

export function startTool({ started }: SoFar, id: unknown, name: string): void {
  // A program that never ends what it starts.
  if (started.size >= MAX_STARTED) started.clear();
  if (typeof id === "string") started.set(id.slice(0, 100), name);
}

export function endedTool({ started }: SoFar, id: unknown): string {
  const key = typeof id === "string" ? id.slice(0, 100) : "";
  const name = started.get(key) ?? "tool";
  started.delete(key);
  return name;
}

/** Tools with how they ended, and how many of them failed. */
export function toolFacts(
  tools: readonly { name: string; exitCode: number | null; failed: boolean }[],
): Pick<LineFacts, "tools" | "failedCommands"> {
  if (tools.length === 0) return {};
  const failed = tools.filter((tool) => tool.failed || (tool.exitCode ?? 0) !== 0).length;
  return { tools: tools.map(({ name, exitCode }) => ({ name, exitCode })), failedCommands: failed };
}

/** The status of a command; null for what can be none. */
export function exitCodeAt(object: Record<string, unknown>, name: string): number | null {
  return Number.isSafeInteger(object[name]) ? Number(object[name]) : null;
}

/** The same where a program tells it in words of its own around the output. */
export function exitCodeIn(text: string, words: RegExp): number | null {
  const [, code] = words.exec(text) ?? [];
  return code === undefined ? null : Number(code);
}

/** The turn that begins on a line of the model's: one whose line before is not of the same reply. */
export function turnAt(
  isModels: (line: Record<string, unknown>) => boolean,
  line: Record<string, unknown>,
  { previous }: SoFar,
): Pick<LineFacts, "turns"> {
  return isModels(line) && !isModels(previous) ? { turns: 1 } : {};
}

export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  let current: unknown = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === "object" && current !== null ? (current as Record<string, unknown>) : {};
}

/** A list of objects; what is none of them is an empty one. */
export const partsAt = (object: Record<string, unknown>, name: string): Record<string, unknown>[] => {
  const list = object[name];
  return Array.isArray(list) ? list.map((part: unknown) => objectAt(part)) : [];
};

export const textAt = (object: Record<string, unknown>, name: string): string =>
  typeof object[name] === "string" ? object[name].slice(0, 100) : "";

/** What no count can be is none. */
export const numberAt = (object: Record<string, unknown>, name: string): number => {
  const value = object[name];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
};
