import fs from "node:fs";
import path from "node:path";
import { homeFolder } from "../../files/home-folder.ts";
import { type KaggleProblem, kaggleProblem, tokenPage } from "./messages.ts";

/** `source` says where they were found, for messages; the secrets themselves never enter a message. */
export type Credentials =
  | { kind: "token"; token: string; source: string }
  | { kind: "key"; username: string; key: string; source: string };

export type CredentialsOutcome =
  | { status: "found"; credentials: Credentials; warnings: string[] }
  | { status: "none"; problem: KaggleProblem }
  | { status: "malformed"; problem: KaggleProblem };

type Environment = Record<string, string | undefined>;
type Search = { env: Environment; home: string };
type Malformed = { status: "malformed"; problem: KaggleProblem };
type Step = CredentialsOutcome | null;

// What an HTTP header can carry; anything else would be an exception deep inside a request.
const SECRET = /^[\x21-\x7e]+$/;
// The newer tokens say what they are; Kaggle also hands them out in the place of an old key.
const TOKEN_PREFIX = "KGAT_";

/**
 * Looks where Kaggle's own command line looks, in its order: every place of the newer single token before any place
 * of the older user name and key. The first place that holds something decides, also when what it holds is malformed.
 */
export function findCredentials(
  search: Search = { env: process.env, home: homeFolder() },
): CredentialsOutcome {
  return (
    tokenVariable(search) ??
    firstOf(tokenFiles(search), tokenFile) ??
    keyVariables(search) ??
    firstOf(keyFiles(search), keyFile) ??
    halfOfAKey(search) ??
    noCredentials(search)
  );
}

/** The value of the Authorization header. */
export function authorization(credentials: Credentials): string {
  if (credentials.kind === "token") return `Bearer ${credentials.token}`;
  const pair = `${credentials.username}:${credentials.key}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

function configFolders({ env, home }: Search): string[] {
  if (env.KAGGLE_CONFIG_DIR) return [env.KAGGLE_CONFIG_DIR];
  const config = env.XDG_CONFIG_HOME || path.join(home, ".config");
  return [path.join(home, ".kaggle"), path.join(config, "kaggle")];
}

type File = { file: string; shown: string; search: Search };

function filesIn(search: Search, names: string[]): File[] {
  return configFolders(search).flatMap((folder) =>
    names.map((name) => {
      const file = path.join(folder, name);
      return { file, shown: shown(file, search), search };
    }),
  );
}

const tokenFiles = (search: Search) => filesIn(search, ["access_token", "access_token.txt"]);
const keyFiles = (search: Search) => filesIn(search, ["kaggle.json"]);

function firstOf(files: File[], read: (file: File) => Step): Step {
  for (const file of files) {
    const step = read(file);
    if (step !== null) return step;
  }
  return null;
}

/** The variable may hold the token or, as in Kaggle's own clients, the path of a file that does. */
function tokenVariable(search: Search): Step {
  const value = search.env.KAGGLE_API_TOKEN?.trim();
  if (!value) return null;
  if (!path.isAbsolute(value)) return token(value, "KAGGLE_API_TOKEN", []);
  const file = { file: value, shown: `${shown(value, search)} (named by KAGGLE_API_TOKEN)`, search };
  return tokenFile(file) ?? malformed(file.shown, "does not exist");
}

function tokenFile({ file, shown }: File): Step {
  const read = readSecret(file, shown);
  if (read === null || "status" in read) return read;
  return token(read.text.trim(), shown, read.warnings);
}

function token(value: string, source: string, warnings: string[]): CredentialsOutcome {
  if (value === "") return malformed(source, "is empty");
  if (!SECRET.test(value)) return malformed(source, "is not one token without spaces");
  return { status: "found", credentials: { kind: "token", token: value, source }, warnings };
}

function keyVariables({ env }: Search): Step {
  const username = env.KAGGLE_USERNAME?.trim();
  const key = env.KAGGLE_KEY?.trim();
  if (!username || !key) return null;
  return userAndKey(username, key, "KAGGLE_USERNAME and KAGGLE_KEY", []);
}

function keyFile({ file, shown }: File): Step {
  const read = readSecret(file, shown);
  if (read === null || "status" in read) return read;
  let content: unknown;
  try {
    content = JSON.parse(read.text);
  } catch {
    return malformed(shown, "is not JSON");
  }
  const { username, key } = Object(content) as { username?: unknown; key?: unknown };
  if (typeof key !== "string" || key.trim() === "") return malformed(shown, 'has no "key"');
  if (typeof username !== "string" || username.trim() === "") return malformed(shown, 'has no "username"');
  return userAndKey(username.trim(), key.trim(), shown, read.warnings);
}

function userAndKey(username: string, key: string, source: string, warnings: string[]): CredentialsOutcome {
  if (key.startsWith(TOKEN_PREFIX)) return token(key, source, warnings);
  if (!SECRET.test(key)) return malformed(source, "holds a key with spaces or other odd characters");
  if (username.includes(":")) return malformed(source, "holds a user name with a colon");
  return { status: "found", credentials: { kind: "key", username, key, source }, warnings };
}

function readSecret(file: string, shown: string): { text: string; warnings: string[] } | Malformed | null {
  try {
    const { mode } = fs.statSync(file);
    return { text: fs.readFileSync(file, "utf8"), warnings: readableByOthers(mode, file, shown) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return malformed(shown, `cannot be read (${String(code)})`);
  }
}

function readableByOthers(mode: number, file: string, shown: string): string[] {
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  return [`${shown} is open to other users of this machine: chmod 600 ${quotedPath(file)}`];
}

function halfOfAKey({ env }: Search): Malformed | null {
  const missing = env.KAGGLE_USERNAME ? "KAGGLE_KEY" : env.KAGGLE_KEY ? "KAGGLE_USERNAME" : null;
  if (missing === null) return null;
  const next = `Set ${missing} too, or make a token at ${tokenPage} and set KAGGLE_API_TOKEN instead.`;
  return malformed("Only half of KAGGLE_USERNAME and KAGGLE_KEY", `is there: ${missing} is not set`, next);
}

function malformed(
  source: string,
  cause: string,
  next = `Copy a token from ${tokenPage} and put it in its place.`,
): Malformed {
  const details = { next, page: tokenPage };
  const problem = kaggleProblem("MALFORMED_CREDENTIALS", null, `${source} ${cause}`, details);
  return { status: "malformed", problem };
}

function noCredentials(search: Search): CredentialsOutcome {
  const folder = search.env.KAGGLE_CONFIG_DIR || path.join(search.home, ".kaggle");
  const file = shown(path.join(folder, "access_token"), search);
  const problem = kaggleProblem("NO_CREDENTIALS", null, "No Kaggle credentials were found", {
    next: [
      "Sign in at https://www.kaggle.com (an account is free),",
      `generate a token at ${tokenPage},`,
      `save it as ${file} and run: chmod 600 ${file}`,
      "(or set KAGGLE_API_TOKEN; an older kaggle.json, or KAGGLE_USERNAME and KAGGLE_KEY, work as well).",
    ].join("\n"),
    page: tokenPage,
  });
  return { status: "none", problem };
}

function shown(file: string, { home }: Search): string {
  const inHome = path.relative(home, file);
  return inHome.startsWith("..") || path.isAbsolute(inHome) ? file : `~/${inHome}`;
}

// Single quotes, since the command is meant to be pasted into a shell.
function quotedPath(file: string): string {
  return /^[\w./~-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
