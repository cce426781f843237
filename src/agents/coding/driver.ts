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

/** What one line of a program's output says; absent fields say nothing. */
export interface LineFacts {
  turns?: number;
  toolCalls?: number;
  failedCommands?: number;
  /** The program's own count, compared with the gateway's ledger. */
  inputTokens?: number;
  outputTokens?: number;
  error?: string;
}

/** How one program is pointed at the gateway, started, continued and read. */
export interface Driver {
  /** Its configuration, by path below `home`: the home is not kept, so the token in it is not either. */
  files(place: DriverPlace): Record<string, string>;
  env(place: DriverPlace): Record<string, string>;
  /** Arguments behind the program; `resume` goes on in the last conversation. */
  arguments(place: DriverPlace, prompt: string, resume: boolean): string[];
  /** False: a stopped conversation cannot be taken up again, a new one starts with a summary. */
  resumes: boolean;
  read(line: Record<string, unknown>): LineFacts;
}

export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  let current: unknown = value;
  for (const name of path) current = (current as Record<string, unknown> | null | undefined)?.[name];
  return typeof current === "object" && current !== null ? (current as Record<string, unknown>) : {};
}

export const numberAt = (object: Record<string, unknown>, name: string): number =>
  Number.isFinite(object[name]) ? Number(object[name]) : 0;
