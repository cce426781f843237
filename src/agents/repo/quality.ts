import { isTest, type RepositoryMap } from "../../repositories/map/repository-map.ts";
import type { AskModel } from "../kit/model-client.ts";

/** RepoMaster's eight criteria. Its weights add up to 1.1; they are divided by that here. */
const CRITERIA = {
  results: 0.2,
  algorithm: 0.2,
  domain: 0.15,
  data_processing: 0.15,
  model_quality: 0.15,
  readability: 0.1,
  structure: 0.1,
  extensibility: 0.05,
} as const;
const WEIGHTS = Object.values(CRITERIA).reduce((sum, weight) => sum + weight, 0);

export interface Quality {
  /** From 0 to 1. */
  score: number;
  by: "model" | "heuristic";
  reasons: string[];
}

/** 0.6 times the weighted criteria (each 0 or 1) and 0.4 times the overall mark from 1 to 10. */
export function ratedQuality(marks: Readonly<Record<string, unknown>>): number {
  const sum = Object.entries(CRITERIA).reduce(
    (total, [name, weight]) => total + weight * Math.min(Math.max(Number(marks[name]) || 0, 0), 1),
    0,
  );
  const overall = Math.min(Math.max(Number(marks.overall) || 0, 0), 10);
  return (0.6 * sum) / WEIGHTS + (0.4 * overall) / 10;
}

/** Without a model: a licence, a README, a way to start it, tests, a fit to what is looked for. */
export function heuristicQuality(map: RepositoryMap, fit: number): Quality {
  const parts: [string, number, number][] = [
    ["fits the task", 0.4, Math.min(Math.max(fit, 0), 1)],
    [
      "can be started",
      0.2,
      map.entryPoints.some(({ options }) => options.length > 0) ? 1 : map.entryPoints.length > 0 ? 0.5 : 0,
    ],
    ["has a README", 0.15, Math.min((map.readme?.text.length ?? 0) / 1500, 1)],
    [
      "has a licence that allows reuse",
      0.1,
      map.licence.reuse === "allowed" ? 1 : map.licence.reuse === "copyleft" ? 0.5 : 0,
    ],
    ["has tests", 0.05, map.modules.some(({ path }) => isTest(path)) ? 1 : 0],
    ["has requirements that can be read", 0.05, map.requirements.damaged.length === 0 ? 1 : 0],
    ["is documented", 0.05, documented(map)],
  ];
  const score = parts.reduce((sum, [, weight, value]) => sum + weight * value, 0);
  return { score, by: "heuristic", reasons: parts.filter(([, , value]) => value > 0).map(([name]) => name) };
}

function documented(map: RepositoryMap): number {
  const all = map.modules.flatMap(({ outline }) => outline.definitions);
  return all.length === 0 ? 0 : all.filter(({ doc }) => doc !== "").length / all.length;
}

const MAX_TRIES = 3;

/** A model's marks, asked for up to three times; without a usable answer the heuristic stands. */
export async function modelQuality(
  ask: AskModel,
  task: string,
  core: string,
  otherwise: Quality,
): Promise<Quality> {
  const names = Object.keys(CRITERIA).join(", ");
  const content = `Rate how useful this repository is for the task. Answer with one JSON object: ${names} (each 0 or 1), overall (1 to 10), reason (a sentence).\n\n<task>\n${task.slice(0, 6000)}\n</task>\n\n<repository>\n${core}\n</repository>`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await ask([{ role: "user", content }], []);
    if (answer.status !== "answered") return otherwise;
    const marks = jsonIn(answer.text);
    if (marks && Number(marks.overall) >= 1)
      return { score: ratedQuality(marks), by: "model", reasons: [String(marks.reason ?? "").slice(0, 300)] };
  }
  return otherwise;
}

function jsonIn(text: string): Record<string, unknown> | null {
  const found = /\{[\s\S]*\}/.exec(text.slice(0, 20_000))?.[0];
  try {
    const value: unknown = JSON.parse(found ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
