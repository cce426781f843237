import { splitOf } from "../../competitions/splits.ts";
import type { CompetitionHealth, DoctorCheck, DoctorReport } from "../../workflows/doctor/schema.ts";
import type { Paint } from "./grade.ts";

const MARKS = { ok: ["green", "ok"], warning: ["yellow", "note"], missing: ["red", "missing"] } as const;
const AREAS: Record<DoctorCheck["area"], string> = {
  kaggle: "Kaggle",
  disk: "Disk",
  sandbox: "Sandbox (one is enough)",
  python: "Python",
  slurm: "Slurm",
  parts: "Parts",
};

/** What was found, area by area, each lack followed by what mends it. */
export function doctorLines({ checks, competitions, dataDir }: DoctorReport, paint: Paint): string[] {
  const lines: string[] = [];
  for (const [area, title] of Object.entries(AREAS)) {
    const here = checks.filter((check) => check.area === area);
    if (here.length > 0)
      lines.push(paint("bold", title), ...here.flatMap((check) => checkLines(check, paint)));
  }
  return [...lines, paint("bold", `Competitions in ${dataDir}`), ...competitionLines(competitions, paint)];
}

function checkLines({ name, status, message, fix }: DoctorCheck, paint: Paint): string[] {
  const [style, mark] = MARKS[status];
  const gap = " ".repeat(8 - mark.length);
  const lines = [`  ${paint(style, mark)}${gap}${name}: ${message}`];
  return fix === null || status === "ok" ? lines : [...lines, ...fixLines(fix)];
}

function fixLines(fix: string): string[] {
  return fix.split("\n").map((line, i) => `          ${i === 0 ? "→ " : "  "}${line}`);
}

function competitionLines(competitions: readonly CompetitionHealth[], paint: Paint): string[] {
  const run = competitions.filter(({ canRun }) => canRun);
  const gradeOnly = competitions.filter(({ canRun, canGrade }) => canGrade && !canRun);
  const refused = competitions.filter(({ rules }) => rules === "not-accepted");
  const accepted = competitions.filter(({ rules }) => rules === "accepted");
  const unclear = competitions.filter(
    ({ rules, canRun, message }) => rules === "unknown" && !canRun && message,
  );
  const shipped = competitions.filter(({ canRun, shipped: here }) => here && !canRun);
  const unasked = competitions.filter(
    ({ rules, canRun, message, shipped: here }) => rules === "unknown" && !here && !canRun && !message,
  );
  const lines = [`  ${run.length} of ${competitions.length} can be run and graded${names(run)}`];
  if (gradeOnly.length > 0) lines.push(`  ${gradeOnly.length} can only be graded${names(gradeOnly)}`);
  if (accepted.length > 0)
    lines.push(
      `  ${accepted.length} can be downloaded${names(accepted)}`,
      ...fixLines(prepareCommand(accepted)),
    );
  if (shipped.length > 0)
    lines.push(
      `  ${shipped.length} can be prepared without account or network${names(shipped)}`,
      ...fixLines(prepareCommand(shipped)),
    );
  for (const { message, fix } of [...refused, ...unclear])
    lines.push(`  ${paint("red", "missing")} ${message}`, ...fixLines(fix ?? ""));
  if (unasked.length > 0)
    lines.push(
      `  ${unasked.length} are not prepared, and Kaggle was not asked about them`,
      ...fixLines(prepareCommand(unasked)),
    );
  return lines;
}

function names(competitions: readonly CompetitionHealth[]): string {
  if (competitions.length === 0) return "";
  const shown = competitions.slice(0, 4).map(({ competitionId }) => competitionId);
  return `: ${shown.join(", ")}${competitions.length > shown.length ? ", …" : ""}`;
}

function prepareCommand(competitions: readonly CompetitionHealth[]): string {
  const [first] = competitions;
  const command = first.fix ?? `mlebench prepare -c ${first.competitionId}`;
  if (competitions.length === 1) return command;
  const split = splitOf(competitions.map(({ competitionId }) => competitionId));
  return command.replace(` -c ${first.competitionId}`, split === null ? " -c <id>" : ` --split ${split}`);
}
