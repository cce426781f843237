import type { AgentNetwork } from "../../agents/definition/agent.ts";
import { costText } from "../../analysis/model-spending.ts";
import { CANNOT_EXCLUDE } from "../../trials/certificate/limits-of-proof.ts";
import type { Finding, Verification } from "../../trials/certificate/verification.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import type { GroupState, TrialState } from "../../trials/state/group-state.ts";
import type { TrialProgress } from "../../trials/trial/request.ts";
import type { Trial } from "../../trials/trial/schema.ts";
import { plural } from "../../wording/counts.ts";
import { durationText } from "../../wording/durations.ts";
import { safeText } from "../../wording/safe-text.ts";
import { sizeText } from "../../wording/sizes.ts";
import type { Paint } from "./grade.ts";
import { fittedTable } from "./table.ts";

/** One line about a running trial: how far, how much memory, what it last said, how often it has submitted. */
export function trialProgressText(progress: TrialProgress): string {
  const { competitionId, seed, elapsedSeconds, timeSeconds, usage, submissions, lastLine } = progress;
  const said = printable(lastLine);
  return [
    `${competitionId} seed ${seed}`,
    `${durationText(elapsedSeconds)} of ${durationText(timeSeconds)}`,
    sizeText(usage.peakMemoryBytes),
    plural(submissions, "submission"),
    ...(said === "" ? [] : [said]),
  ].join("  ");
}

function printable(line: string): string {
  return safeText(line.trim().slice(0, 200));
}

/** How a trial ended, the moment it does. */
export function trialEndText(
  { competition, seed, outcome, submissions, final, measurements, modelTotals }: Trial,
  paint: Paint,
): string {
  const reason = outcome?.stopReason ?? "running";
  const colour = reason === "exited" ? "green" : reason === "timeout" ? "yellow" : "red";
  const took = measurements === null ? "" : ` after ${durationText(measurements.wallSeconds)}`;
  const file = final?.sha256
    ? plural(submissions.length, "submission")
    : `no submission (${safeText(final?.why ?? "unknown")})`;
  const asked =
    modelTotals === undefined
      ? ""
      : `, ${plural(modelTotals.calls - modelTotals.refused, "model call")}, ${costText(modelTotals)}`;
  const why = reason === "exited" ? "" : `: ${safeText(outcome?.message ?? "")}`;
  return `${paint("bold", safeText(competition.id))} seed ${seed}: ${paint(colour, reason)}${took}, ${file}${asked}${why}`;
}

/** What a run is about to do, with the limits that apply when nobody set any. */
export function settingsLines(
  settings: GroupSettings,
  network: AgentNetwork | null,
  trials: number,
  folder: string,
): string[] {
  const { memoryBytes, cpus, timeSeconds, workers, sandbox } = settings;
  const kind = sandbox === "process" ? "process (NO isolation: only for agents you trust)" : sandbox;
  const wish = (limit: { required: boolean }) => (limit.required ? "" : " (default)");
  return [
    `${plural(trials, "trial")} of ${settings.agentId}, ${workers} at a time, sandbox ${kind}`,
    `each: ${durationText(timeSeconds)}, ${sizeText(memoryBytes.value)} of memory${wish(memoryBytes)}, ${plural(cpus.value, "processor")}${wish(cpus)}`,
    `system: ${systemText(settings)}`,
    ...(network === null ? [] : [`network: ${networkText(network, settings)}`]),
    ...modelLines(settings),
    `run group: ${folder}`,
  ];
}

/** Whom the agent can ask, and what that may cost. */
function modelLines({ models, modelAccess }: GroupSettings): string[] {
  if (models === undefined) return [];
  const names = Object.entries(models).map(([role, name]) => (role === "default" ? name : `${role}=${name}`));
  const limits = (["trial", "group"] as const).flatMap((whose) => {
    const { cost, tokens, calls } = modelAccess?.[`${whose}Limits`] ?? {};
    return [
      ...(cost === undefined ? [] : [`$${cost} a ${whose}`]),
      ...(tokens === undefined ? [] : [`${plural(tokens, "token")} a ${whose}`]),
      ...(calls === undefined ? [] : [`${plural(calls, "call")} a ${whose}`]),
    ];
  });
  return [`models: ${names.map(safeText).join(", ")}; ${limits.join(", ") || "no limit on what they cost"}`];
}

/** What the agent can reach, in words: somebody about to run one should not have to look it up. */
function networkText(network: AgentNetwork, { sandbox }: GroupSettings): string {
  if (sandbox === "process") return "the host's own, not restricted";
  switch (network.mode) {
    case "none":
      return "none";
    case "open":
      return "open: the agent can reach whatever this machine can";
    case "allow-list": {
      const [shown, more] = [network.hosts.slice(0, 5), network.hosts.length - 5];
      return `only ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}, through a proxy that records it`;
    }
  }
}

function systemText({ sandbox, image, rootFolder }: GroupSettings): string {
  if (sandbox === "process") return "the host's";
  if (sandbox === "bubblewrap") return rootFolder ?? "the host's, read-only";
  return image ?? "the agent's image";
}

/** A group as its files tell it, with what grading made of its trials. */
export interface ShownGroup extends Omit<GroupState, "trials"> {
  agent: string | null;
  graded: boolean;
  trials: (TrialState & { wallSeconds: number | null; score: number | null })[];
}

/** The state of every trial of a group. */
export function statusLines(
  { runGroup, agent, graded, busy, problem, trials }: ShownGroup,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const titles = ["trial", "seed", "state", "stop reason", "time", "submissions", "score", "attempt"];
  const rows = trials.map(({ id, seed, state, trial, heartbeat, silent, wallSeconds, score }) => [
    width === Number.POSITIVE_INFINITY ? safeText(id) : shortId(safeText(id)),
    String(seed),
    state === "finished" ? paint("green", state) : runningText(state, heartbeat, silent),
    state === "waiting" ? "" : (trial?.outcome?.stopReason ?? ""),
    wallSeconds === null ? "" : durationText(wallSeconds),
    trial === null ? "" : String(trial.submissions.length),
    score === null ? (graded && state === "finished" ? "–" : "") : String(Number(score.toPrecision(6))),
    trial === null ? "" : String(trial.attempt),
  ]);
  const finished = trials.filter(({ state }) => state === "finished").length;
  const going =
    busy || trials.some(({ state, silent }) => state === "running" && !silent)
      ? "running"
      : finished === trials.length
        ? graded
          ? "done and graded"
          : `done; grade it: mlebench grade ${runGroup}`
        : `stopped; go on: mlebench resume ${runGroup}`;
  const who = agent === null ? "" : `, agent ${printable(agent)}`;
  // Nobody knows how many trials there should be.
  const state =
    problem === null
      ? `${finished} of ${trials.length} finished, ${going}`
      : `${paint("red", safeText(problem))}; ${plural(trials.length, "trial")} left a record`;
  if (trials.length === 0 && problem !== null)
    return [`${paint("bold", safeText(runGroup))}${who}: ${state}`];
  return [
    `${paint("bold", safeText(runGroup))}${who}: ${state}`,
    ...fittedTable([titles.map((title) => paint("dim", title)), ...rows], {
      right: [1, 4, 5, 6, 7],
      width,
      drop: [7, 5, 3],
    }),
  ];
}

/** Every command that takes a trial takes the beginning of its id. */
function shortId(id: string): string {
  return id.replace(/(_[0-9a-f]{8})-[0-9a-f-]{27}$/, "$1");
}

/** Where and how far, as its heartbeat says. */
function runningText(
  state: TrialState["state"],
  heartbeat: TrialState["heartbeat"],
  silent: boolean,
): string {
  if (heartbeat === null) return state;
  const { host, elapsedSeconds, timeSeconds } = heartbeat;
  const where = silent ? `${printable(host)}, no sign of life` : printable(host);
  return `${state} (${where}, ${durationText(elapsedSeconds)} of ${durationText(timeSeconds)})`;
}

const COLOURS = { recomputed: "green", attested: "green", declared: "yellow", broken: "red" } as const;

/** A verification, line by line, and what it comes to. */
export function verificationLines(
  { subject, findings, signedBy, covers, verdict }: Verification,
  paint: Paint,
): string[] {
  const colour = verdict === "broken" ? "red" : verdict === "verified" ? "green" : "yellow";
  const by = verdict === "verified" ? ` (attested by key ${safeText(String(signedBy))})` : "";
  return [
    paint("bold", safeText(subject)),
    ...findings.map(
      (finding) =>
        `  ${paint(COLOURS[finding.standing], finding.standing.padEnd(10))}  ${findingText(finding)}`,
    ),
    ...covers.map((what) => `  ${paint("dim", "signed")}      ${what}`),
    `  ${paint(colour, verdict)}${by}`,
  ];
}

/** What no verdict says. */
export function limitLines(): string[] {
  return ["No signature can exclude that", ...CANNOT_EXCLUDE.map((what) => `  ${what}`)];
}

/** One line: how many statements have which standing, and the verdict. What is broken is never left out. */
export function briefVerificationLines(verification: Verification, paint: Paint): string[] {
  const { subject, findings, verdict } = verification;
  if (verdict === "broken" || verdict === "not understood") return verificationLines(verification, paint);
  const counts = (["recomputed", "attested", "declared"] as const)
    .map((standing) => ({
      standing,
      count: findings.filter((finding) => finding.standing === standing).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ standing, count }) => `${count} ${standing}`);
  return [
    `${safeText(subject)}: ${counts.join(", ")}; ${paint(verdict === "verified" ? "green" : "yellow", verdict)}`,
  ];
}

function findingText({ what, file }: Finding): string {
  return safeText(file === null ? what : `${file}: ${what}`);
}
