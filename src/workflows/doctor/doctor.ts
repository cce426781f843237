import { type CatalogueEntry, loadCompetition } from "../../competitions/catalogue.ts";
import { createKaggleClient, type KaggleClient } from "../../data/kaggle/client.ts";
import { rulesAccepted } from "../../data/kaggle/competition-files.ts";
import { findCredentials } from "../../data/kaggle/credentials.ts";
import type { KaggleProblem } from "../../data/kaggle/messages.ts";
import { canGrade, canRun } from "../../data/place/data-folder.ts";
import { prepareCommand } from "../../data/place/prepare-command.ts";
import { checkDisk } from "./disk.ts";
import type { CompetitionHealth, DoctorCheck, DoctorReport } from "./schema.ts";
import { checkSlurm } from "./slurm.ts";
import { checkTools } from "./tools.ts";

export interface DoctorOptions {
  dataDir: string;
  /** The competitions to look at. */
  competitions: readonly CatalogueEntry[];
  /** A folder with competitions of the user's own. */
  competitionsDir: string | undefined;
  /** Do not ask Kaggle anything. */
  offline: boolean;
  /** Looks at Slurm, too. */
  slurm?: { partition: string | undefined; runsDir: string } | undefined;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const AT_A_TIME = 4;

/** Looks at everything that preparing and running need, and says for each lack how to mend it. Changes nothing. */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  const { dataDir, competitions } = options;
  const toPrepare = competitions.filter((competition) => !canRun(dataDir, competition));
  const shipped = await shippedIds(options);
  // Whoever looks at competitions whose data come with them has no use for an account.
  const noAccount = competitions.length > 0 && competitions.every(({ id }) => shipped.has(id));
  const kaggle = noAccount ? { client: null, checks: [] } : checkCredentials();
  const checks = [...kaggle.checks, checkDisk(dataDir, toPrepare), ...(await checkTools())];
  if (options.slurm !== undefined)
    checks.push(...(await checkSlurm(options.slurm.partition, options.slurm.runsDir)));
  const client = options.offline ? null : kaggle.client;
  const health = await checkCompetitions(options, client, shipped);
  if (health.problem) checks.unshift(problemCheck("access", health.problem));
  return { schema: "mlebench/doctor", version: 1, dataDir, checks, competitions: health.competitions };
}

function checkCredentials(): { client: KaggleClient | null; checks: DoctorCheck[] } {
  const found = findCredentials();
  if (found.status !== "found") return { client: null, checks: [problemCheck("credentials", found.problem)] };
  const { source } = found.credentials;
  const check = { area: "kaggle", name: "credentials" } as const;
  const warnings: DoctorCheck[] = found.warnings.map((warning) => {
    const [message, fix] = warning.split(": ", 2);
    return { ...check, status: "warning", message, fix: fix ?? null };
  });
  const client = createKaggleClient(found.credentials);
  if (client.status === "failed")
    return { client: null, checks: [problemCheck("credentials", client), ...warnings] };
  return {
    client,
    checks: [{ ...check, status: "ok", message: `found in ${source}`, fix: null }, ...warnings],
  };
}

function problemCheck(name: string, { message, next }: KaggleProblem): DoctorCheck {
  return { area: "kaggle", name, status: "missing", message, fix: next };
}

/** Asks Kaggle about those that still have to be downloaded. A problem that concerns all of them ends the asking. */
async function checkCompetitions(
  { dataDir, competitions, signal, onProgress }: DoctorOptions,
  client: KaggleClient | null,
  shipped: ReadonlySet<string>,
): Promise<{ competitions: CompetitionHealth[]; problem: KaggleProblem | null }> {
  const health: CompetitionHealth[] = new Array(competitions.length);
  let problem: KaggleProblem | null = null;
  let next = 0;
  let done = 0;
  const lane = async () => {
    while (next < competitions.length) {
      const index = next++;
      const local = localHealth(dataDir, competitions[index], shipped);
      const asked = client && !local.shipped && !local.canRun && !problem && !signal.aborted;
      const answer = asked ? await rulesAccepted(client, local.competitionId, signal) : null;
      if (answer?.status === "failed" && isGeneral(answer)) problem ??= answer;
      health[index] = withRules(local, answer);
      onProgress(++done, competitions.length);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return { competitions: health, problem };
}

function isGeneral({ code, retryable }: KaggleProblem): boolean {
  return code === "BAD_CREDENTIALS" || code === "PHONE_NOT_VERIFIED" || code === "CERTIFICATE" || retryable;
}

/** Those whose raw data lie beside them: nothing has to be downloaded. */
async function shippedIds({ competitions, competitionsDir }: DoctorOptions): Promise<Set<string>> {
  const loaded = await Promise.all(competitions.map(({ id }) => loadCompetition(id, competitionsDir)));
  return new Set(
    loaded.flatMap((one) => (one?.competition.shippedRaw === undefined ? [] : one.competition.id)),
  );
}

function localHealth(
  dataDir: string,
  competition: CatalogueEntry,
  shipped: ReadonlySet<string>,
): CompetitionHealth {
  const state = { canGrade: canGrade(dataDir, competition), canRun: canRun(dataDir, competition) };
  const fix = state.canRun ? null : prepareCommand([competition.id], { dataDir });
  const { id: competitionId } = competition;
  return {
    competitionId,
    ...state,
    shipped: shipped.has(competitionId),
    rules: "unknown",
    message: null,
    fix,
  };
}

function withRules(
  local: CompetitionHealth,
  answer: { status: "accepted" } | KaggleProblem | null,
): CompetitionHealth {
  if (answer === null || (answer.status === "failed" && isGeneral(answer))) return local;
  if (answer.status === "accepted") return { ...local, rules: "accepted" };
  const refused = answer.code === "RULES_NOT_ACCEPTED" || answer.code === "FORBIDDEN";
  const fix = answer.page === null ? answer.next : `open ${answer.page} and accept the rules`;
  return { ...local, rules: refused ? "not-accepted" : "unknown", message: answer.message, fix };
}
