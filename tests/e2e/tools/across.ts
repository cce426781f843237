import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { findInstalled } from "../../../src/agents/coding/installed.ts";
import type { CodingProgramId } from "../../../src/agents/coding/programs.ts";
import type { ProtocolName } from "../../../src/models/call.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import { mlebench, startMlebench } from "../cli.ts";

const SPEAKS: Record<CodingProgramId, ProtocolName> = {
  "claude-code": "messages",
  codex: "responses",
  "gemini-cli": "gemini",
  opencode: "chat",
  pi: "chat",
};

const REMOTE: Record<ProtocolName, string> = {
  chat: "compatible:m",
  responses: "openai:m",
  messages: "anthropic:m",
  gemini: "gemini:m",
};

const KEYS = { OPENAI_API_KEY: "sk-one", ANTHROPIC_API_KEY: "sk-two", GEMINI_API_KEY: "sk-three" };
const ERROR = "the model broke on purpose";

/** Words and a tool call; its result, which only a shell can know, and another call; an error. */
const REPLIES = [
  {
    reply: {
      text: "I submit first.",
      // One of them refuses commands inside commands.
      shell: 'cp "$DATA_DIR"/sample_submission.csv "$SUBMISSION_DIR"/submission.csv && expr 600000 + 61234',
    },
    usage: { input: 1200, cacheRead: 300, output: 40 },
  },
  {
    expect: { contains: ["I submit first.", "661234"] },
    reply: { text: "It is done.", shell: "echo and once more" },
    usage: { input: 1500, cacheRead: 400, output: 60, reasoning: 10 },
  },
  { reply: { error: { status: 400, message: ERROR } }, repeat: "forever" },
];

/**
 * Runs a coding agent in a closed sandbox with a provider of another protocol, or of its own: `models serve` of a process of its
 * own, so that its ledger is a witness. Says what did not go as it should.
 */
export async function askedAcross(
  id: CodingProgramId,
  provider: ProtocolName,
  place: { data: string; runs: string; sandbox?: string },
): Promise<string[]> {
  const { runs } = place;
  const write = (name: string, content: object) => {
    fs.writeFileSync(path.join(runs, name), JSON.stringify(content));
    return path.join(runs, name);
  };
  const script = write("script.json", { replies: REPLIES, aside: "A title" });
  const serving = path.join(runs, "provider");
  const server = startMlebench([
    ...["models", "serve", "--model", `m=scripted:${script}`, "--no-token", "--json", "--folder", serving],
  ]);
  const [line] = await once(readline.createInterface(server.stdout!), "line");
  const url = (JSON.parse(line) as { url: string }).url;
  const own = SPEAKS[id] === provider;
  const base_url = provider === "messages" || provider === "gemini" ? url : `${url}/v1`;
  const m = { model: REMOTE[provider], base_url, protocols: [provider], price: { input: 1, output: 2 } };
  const ran = mlebench(
    [
      ...["run", "--agent", id, "-c", "starter-spam", "--data-dir", place.data, "--runs-dir", runs],
      ...["--sandbox", place.sandbox ?? "bubblewrap", "--network", "none", "--name", "group", "--grade"],
      ...["--model", "m", "--models-file", write("models.yaml", { models: { m } })],
      ...["--until", "first-stop", "--time-limit", "90s"],
      // What is taken out of a body would change it.
      ...(own ? ["--provider-tools"] : []),
    ],
    KEYS,
    200_000,
  );
  server.kill("SIGINT");
  await once(server, "exit");
  const group = path.join(runs, "group");
  const trial = fs.existsSync(group)
    ? fs.readdirSync(group).find((name) => name.startsWith("starter-spam_"))
    : undefined;
  if (trial === undefined) return [`it did not run: ${ran.stderr}`];
  const folder = path.join(group, trial);
  const told = fs.readFileSync(path.join(folder, `logs/${id}.jsonl`), "utf8");
  const said = [told, ...["stdout.log", "stderr.log"].map((name) => logOf(folder, name))].join("\n");
  return [
    ...(ran.stdout.includes("1 valid") ? [] : [`no valid submission: ${ran.stdout.slice(-500)}`]),
    ...(mlebench(["verify", group]).code === 0 ? [] : ["its record does not verify"]),
    ...(said.includes(ERROR) ? [] : [`it was not told the model's error: ${told.slice(-500)}`]),
    ...disagreements(
      readLedger(path.join(folder, "model/ledger.jsonl")).lines,
      readLedger(path.join(serving, "ledger.jsonl")).lines,
      { client: SPEAKS[id], provider },
    ),
  ];
}

/** The trial's ledger against that of its provider, call by call. */
function disagreements(
  mine: readonly LedgerLine[],
  theirs: readonly LedgerLine[],
  { client, provider }: { client: ProtocolName; provider: ProtocolName },
): string[] {
  const problems: string[] = [];
  const answered = mine.filter(({ outcome }) => outcome === "answered");
  const served = theirs.filter(({ outcome }) => outcome === "answered");
  const withTools = answered.filter(({ stopReason }) => stopReason === "tools");
  if (withTools.length !== 2 || !withTools.every(({ streamed }) => streamed))
    problems.push(`${withTools.length} streamed replies with a tool call; ${lastProblem(mine)}`);
  const odd = mine.find(({ protocolIn, protocolOut }) => protocolIn !== client || protocolOut !== provider);
  if (odd !== undefined) problems.push(`a call went from ${odd.protocolIn} to ${odd.protocolOut}`);
  const errors = mine.filter(({ outcome, problem }) => outcome === "failed" && problem?.includes(ERROR));
  if (errors.length === 0) problems.push(`no call failed as it was to; ${lastProblem(mine)}`);
  const usage = (lines: readonly LedgerLine[]) => JSON.stringify(lines.map((line) => line.usage));
  if (usage(answered) !== usage(served))
    problems.push(`it has the usage ${usage(answered)}, its provider ${usage(served)}`);
  if (client !== provider) return problems;
  for (const hash of ["requestSha256", "replySha256"] as const)
    if (String(mine.map((line) => line[hash])) !== String(theirs.map((line) => line[hash])))
      problems.push(`what its provider saw is not byte for byte what passed (${hash})`);
  return problems;
}

function lastProblem(lines: readonly LedgerLine[]): string {
  return `the last of ${lines.length} calls: ${lines.at(-1)?.outcome}, ${lines.at(-1)?.problem}`;
}

function logOf(folder: string, name: string): string {
  const file = path.join(folder, name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

export function isInstalled(id: CodingProgramId): boolean {
  return findInstalled(id) !== null;
}
