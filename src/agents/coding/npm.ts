import { spawn } from "node:child_process";

/** What npm says about its own failure. */
export interface NpmFailure {
  /** Such as `ETARGET`; null where it could not even be started, or was cut. */
  code: string | null;
  words: string;
  nextStep: string;
}

/** A registry that is out of reach is asked again twice, within seconds: npm itself would wait for more than a minute. */
const PATIENCE = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000"];
const OPTIONS = ["--json", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const NETWORK =
  /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EIDLETIMEOUT|ERR_SOCKET|FETCH_ERROR)/;
const MAX_WORDS = 500;
const MAX_SAID = 64 * 1024;

/** Installs one package, by exact version, below a folder; no script of any package runs. Null: it did. */
export function npmInstall(
  folder: string,
  name: string,
  version: string,
  interrupted?: AbortSignal,
): Promise<NpmFailure | null> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["install", ...OPTIONS, ...PATIENCE, `${name}@${version}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      signal: interrupted,
      // Asked gently it first takes back what it did, which we throw away, and may wait for its registry while it does.
      killSignal: "SIGKILL",
    });
    const said = { out: "", error: "" };
    child.stdout.on("data", (piece: Buffer) => {
      said.out = (said.out + piece.toString()).slice(-MAX_SAID);
    });
    child.stderr.on("data", (piece: Buffer) => {
      said.error = (said.error + piece.toString()).slice(-MAX_SAID);
    });
    let notStarted: Error | null = null;
    child.on("error", (error) => {
      notStarted = error;
    });
    child.on("close", (status) => {
      if (notStarted !== null && !interrupted?.aborted) resolve(withoutNpm(notStarted));
      else resolve(status === 0 ? null : failureOf(said, name));
    });
  });
}

function withoutNpm(error: NodeJS.ErrnoException): NpmFailure {
  const words = error.code === "ENOENT" ? "there is no npm on the PATH" : error.message;
  return { code: null, words, nextStep: "npm comes with Node; it must be found: npm --version" };
}

function failureOf(said: { out: string; error: string }, name: string): NpmFailure {
  const { code, summary } = errorIn(said.out);
  const words = (summary ?? lastWords(said.error)).split("\n")[0].slice(0, MAX_WORDS);
  return { code, words, nextStep: nextStepFor(code, name) };
}

function errorIn(text: string): { code: string | null; summary: string | null } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; summary?: unknown } };
    const said = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
    return { code: said(error?.code), summary: said(error?.summary) };
  } catch {
    return { code: null, summary: null };
  }
}

/** Its very last line only says where its log is. */
function lastWords(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/complete log of this run/.test(line));
  return lines.at(-1) ?? "it says nothing";
}

function nextStepFor(code: string | null, name: string): string {
  if (code === "ETARGET" || code === "E404") return `see which versions there are: npm view ${name} versions`;
  if (code === "EINTEGRITY")
    return "what arrived is not what the registry promised: npm cache verify, then try again; if it stays so, do not use it";
  if (code === "ENOSPC") return "make room on the disk of the user's cache";
  if (code !== null && NETWORK.test(code))
    return "a registry must be reachable: npm ping; a mirror is named by npm config set registry <address>";
  return "look at npm's own words";
}
