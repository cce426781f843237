import fs from "node:fs";
import path from "node:path";
import { readPlainText } from "../../files/plain-file.ts";
import { CompetitionReport } from "../../grading/report-schema.ts";
import { plural } from "../../wording/counts.ts";
import { groupPaths } from "../group/folder.ts";
import { planDigest } from "../group/plan-digest.ts";
import type { RunGroup } from "../group/schema.ts";
import { readStarts } from "../group/starts.ts";
import { valueDigest } from "./canonical-json.ts";
import type { Certificate } from "./schema.ts";
import { broken, declared, type Finding, recomputed } from "./verification.ts";

/** A trial's folder by its name in the plan, and what the certificate in it says. */
export interface CertifiedTrial {
  id: string;
  certificate: Certificate;
}

/** Every record is the one the plan asked for, there are no two of the same, and no attempt was taken back. */
export function verifyPlan(folder: string, group: RunGroup, trials: readonly CertifiedTrial[]): Finding[] {
  const findings = [...compareWithPlan(group, trials), ...twice(group, trials), ...strangers(folder, group)];
  const attempts = verifyStarts(folder, trials);
  if (findings.length > 0) return [...findings, ...attempts];
  return [
    recomputed(`ids, competitions and seeds of ${plural(trials.length, "trial")} by the plan`),
    ...attempts,
  ];
}

function compareWithPlan(group: RunGroup, trials: readonly CertifiedTrial[]): Finding[] {
  const digest = planDigest(group);
  const planned = new Map(group.trials.map((trial) => [trial.id, trial]));
  return trials.flatMap(({ id, certificate }) => {
    const { trialId, seed, competition, runGroup, plan } = certificate.record.content;
    const due = planned.get(id)!;
    const file = `${id}/certificate.json`;
    if (trialId !== id) return [broken(`it is the record of ${trialId}`, file)];
    if (seed !== due.seed) return [broken(`its seed is ${seed}, the plan says ${due.seed}`, file)];
    if (competition.id !== due.competitionId)
      return [broken(`its competition is ${competition.id}, the plan says ${due.competitionId}`, file)];
    if (runGroup !== group.name) return [broken(`it was run in ${runGroup}, not in ${group.name}`, file)];
    if (plan !== undefined && plan !== digest)
      return [broken("it was run by another plan than the one that is here", file)];
    return [];
  });
}

/** A plan that asks for the same twice, and two trials that are one. */
function twice(group: RunGroup, trials: readonly CertifiedTrial[]): Finding[] {
  const ids = repeated(group.trials.map(({ id }) => id));
  const aims = repeated(group.trials.map(({ competitionId, seed }) => `${competitionId} with seed ${seed}`));
  const heads = repeated(trials.map(({ certificate }) => certificate.record.content.events.head));
  return [
    ...[...ids, ...aims].map((what) => broken(`${what} is planned twice`, "group.json")),
    ...trials
      .filter(({ certificate }) => heads.includes(certificate.record.content.events.head))
      .map(({ id }) => broken("its events are those of another trial, too", `${id}/events.jsonl`)),
  ];
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))];
}

/** Folders of trials that nobody planned. */
function strangers(folder: string, group: RunGroup): Finding[] {
  const planned = new Set(group.trials.map(({ id }) => id));
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !planned.has(entry.name) && !entry.isFile())
    .filter(({ name }) => fs.existsSync(path.join(folder, name, "trial.json")))
    .map(({ name }) => broken("it is not in the plan", name));
}

/** A trial that was removed and run again was started twice under the same number. */
function verifyStarts(folder: string, trials: readonly CertifiedTrial[]): Finding[] {
  const announced = trials.filter(({ certificate }) => certificate.record.content.start !== undefined);
  const { starts, problems } = readStarts(groupPaths(folder).starts);
  if (announced.length === 0 && starts.length === 0) {
    if (trials.length === 0) return [];
    return [declared("attempts: the records are from before each was announced")];
  }
  const findings = problems.map((problem) => broken(problem, "starts.jsonl"));
  for (const { id, certificate } of trials) {
    const { start, attempt } = certificate.record.content;
    const own = starts.filter(({ trial }) => trial === id);
    const numbers = own.map((one) => one.attempt);
    const again = repeated(numbers.map(String))[0];
    if (again !== undefined)
      findings.push(
        broken(`attempt ${again} of ${id} was started twice: one of them was removed`, "starts.jsonl"),
      );
    if (start === undefined) continue;
    const mine = own.find(({ hash }) => hash === start);
    if (mine?.attempt !== attempt || Math.max(...numbers) !== attempt)
      findings.push(broken(`attempt ${attempt} of ${id} is not the last that was announced`, "starts.jsonl"));
  }
  if (findings.length > 0) return findings;
  return [
    recomputed(
      `${plural(starts.length, "attempt was", "attempts were")} announced, and each trial's last one counts`,
    ),
  ];
}

/** The grading report beside the trials says of each what its certificate says. */
export function verifyReport(folder: string, trials: readonly CertifiedTrial[]): Finding[] {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith("_grading_report.json"));
  return files.flatMap((file) => {
    const rows = rowsOf(path.join(folder, file));
    if (rows === null) return [broken("it is not a grading report", file)];
    const byId = new Map(rows.map((row) => [row.run_id, row]));
    const graded = trials.filter(({ certificate }) => certificate.grade !== null);
    const wrong = graded.filter(({ id, certificate }) => !says(byId.get(id), certificate));
    const ids = new Set(graded.map(({ id }) => id));
    const invented = rows.filter(({ run_id: id }) => id === undefined || !ids.has(id));
    return [
      ...wrong.map(({ id }) => broken(`it says otherwise of ${id} than its certificate`, file)),
      ...(invented.length > 0 ? [broken(`${invented.length} of its rows have no sealed grade`, file)] : []),
      ...(rows.length > byId.size ? [broken("it has a trial twice", file)] : []),
      ...(wrong.length === 0 && invented.length === 0
        ? [recomputed(`the grading report agrees with ${graded.length} sealed grades`)]
        : []),
    ];
  });
}

type Row = Record<string, unknown> & { run_id?: string };

function rowsOf(file: string): Row[] | null {
  try {
    const { competition_reports: rows } = JSON.parse(readPlainText(file)) as {
      competition_reports: Row[];
    };
    const whole = Array.isArray(rows) && rows.every((row) => typeof row === "object" && row !== null);
    return whole ? rows : null;
  } catch {
    return null;
  }
}

/** Every field of the sealed grade, except where and when. */
function says(row: Row | undefined, { record, grade }: Certificate): boolean {
  if (row === undefined || grade === null) return false;
  const sealed: Record<string, unknown> = grade.content.report;
  const fields = Object.keys(CompetitionReport.shape).filter((field) => field in sealed);
  return (
    row.seed === record.content.seed &&
    row.external_knowledge === record.content.externalKnowledge &&
    valueDigest(row.best ?? null) === valueDigest(grade.content.best) &&
    fields.every((field) => valueDigest(row[field] ?? null) === valueDigest(sealed[field] ?? null))
  );
}
