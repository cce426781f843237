import type { PrepareOutcome } from "../../data/prepare/outcome.ts";
import type { PrepareProgress } from "../../data/prepare/progress.ts";
import { durationText } from "../../wording/durations.ts";
import { sizeText } from "../../wording/sizes.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

const STAGES: Record<PrepareProgress["stage"], string> = {
  download: "downloading",
  "check download": "checking the download",
  extract: "extracting",
  prepare: "preparing",
  verify: "verifying",
  audit: "looking for leaks",
};

/** One line about a preparation that is going on: how far, how fast, how long still. */
export function progressText(progress: PrepareProgress): string {
  const { competitionId, competitionVersion, stage, what, done, total, unit, perSecond, secondsLeft } =
    progress;
  const amount = (count: number) => (unit === "bytes" ? sizeText(count) : String(Math.round(count)));
  const parts = [`${nameOf(competitionId, competitionVersion)}: ${STAGES[stage]}${what ? `, ${what}` : ""}`];
  if (total !== null && total > 0) parts.push(`${Math.floor((done / total) * 100)} % of ${amount(total)}`);
  else if (done > 0) parts.push(amount(done));
  if (perSecond !== null && perSecond >= 1) parts.push(`${amount(perSecond)}/s`);
  if (secondsLeft !== null && secondsLeft >= 1) parts.push(`${durationText(secondsLeft)} left`);
  return parts.join("  ");
}

/** What happened to one competition, the moment it ends. */
export function outcomeLines(outcome: PrepareOutcome, paint: Paint): string[] {
  const name = paint("bold", nameOf(outcome.competitionId, outcome.competitionVersion));
  const notes = outcome.warnings.map((warning) => `  ${paint("yellow", "note")}  ${warning}`);
  switch (outcome.status) {
    case "ready":
      return [
        `${name}: ${paint("green", "ready")} after ${durationText(outcome.seconds)}, ${trustText(outcome)}`,
        ...notes,
        ...auditLines(outcome, paint),
      ];
    case "already-prepared":
      return [`${name}: already prepared, ${trustText(outcome)}`, ...notes, ...differenceLines(outcome)];
    case "interrupted":
      return [`${name}: interrupted; nothing half-written is left`];
    case "failed":
      return [
        `${name}: ${paint("red", outcome.code)}  ${outcome.message}`,
        ...differenceLines(outcome),
        ...outcome.nextStep.split("\n").map((line) => `  ${line}`),
        ...notes,
      ];
  }
}

/** What is ready, what is not and why: the last thing a long run prints. */
export function summaryLines(outcomes: readonly PrepareOutcome[], dataDir: string, paint: Paint): string[] {
  const rows = outcomes.map((outcome) => [
    nameOf(outcome.competitionId, outcome.competitionVersion),
    stateText(outcome, paint),
    "folder" in outcome ? trustText(outcome) : outcome.status === "failed" ? outcome.message : "",
  ]);
  const header = ["competition", "state", ""].map((title) => paint("dim", title));
  const usable = outcomes.filter((outcome) => "folder" in outcome).length;
  const goOn = outcomes.some(({ status }) => status === "interrupted")
    ? ["Run the same command again to go on: what is ready is kept."]
    : [];
  return [...textTable([header, ...rows]), `${usable} of ${outcomes.length} prepared in ${dataDir}`, ...goOn];
}

function nameOf(id: string, version: string): string {
  return version === "v1" ? id : `${id} (${version})`;
}

function stateText(outcome: PrepareOutcome, paint: Paint): string {
  if (outcome.status === "failed") return paint("red", outcome.code);
  if ("verification" in outcome && outcome.verification === "differs") return paint("red", "differs");
  return outcome.status === "interrupted" ? "interrupted" : paint("green", outcome.status.replace("-", " "));
}

/** How far the data can be trusted to be the original's. */
function trustText(outcome: Extract<PrepareOutcome, { folder: string }>): string {
  const set = Object.entries(outcome.settings).map(([key, value]) => `${key}=${value}`);
  if (set.length > 0) return `not official: prepared with ${set.join(", ")}`;
  switch (outcome.verification) {
    case "matches":
      return "as it should be, by checksum";
    case "matches-own":
      return "same as your own checksums say, not compared with the original's";
    case "differs":
      return "not the original's data: checksums differ";
    case "skipped":
      return "not verified";
    case "not-comparable":
      return outcome.competitionVersion === "v2"
        ? "corrected version, not official"
        : "no checksums to compare with";
  }
}

function auditLines(outcome: Extract<PrepareOutcome, { status: "ready" }>, paint: Paint): string[] {
  const { verdict, leaks, defects, warnings, messages } = outcome.audit;
  if (verdict === "clean") return [];
  const counts = Object.entries({ leak: leaks, defect: defects, warning: warnings })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  const title =
    verdict === "failed" ? "the leak scanner failed" : `the leak scanner found ${counts.join(", ")}`;
  const { competitionId: id, competitionVersion } = outcome;
  const version = competitionVersion === "v1" ? "" : ` --competition-version ${competitionVersion}`;
  return [
    `  ${paint("yellow", "audit")} ${title}; all of it: mlebench audit -c ${id}${version}`,
    ...messages.map((message) => `    ${message}`),
  ];
}

function differenceLines({ checks }: PrepareOutcome): string[] {
  return checks
    .filter(({ status }) => status === "different" || status === "missing")
    .flatMap(({ file, expected, actual, explanation }) => [
      `  ${file}: ${actual === null ? "missing" : `checksum ${actual}, expected ${expected}`}`,
      ...explanation.map((sentence) => `    ${sentence}`),
    ]);
}
