import fs from "node:fs";
import path from "node:path";
import { inferTask } from "../baseline/infer-task.ts";
import { readPublicFiles, readSample } from "../baseline/reading/public-files.ts";
import { type AgentContract, readText } from "../kit/contract.ts";
import type { AskModel } from "../kit/model-client.ts";

/** What a repository must be able to do, in the words a search needs. */
export interface TaskRequirements {
  title: string;
  description: string;
  /** What the baseline takes the task for. */
  shape: string;
  metric: string;
  sampleHeader: string[];
  /** What the model would look for; empty without one, or without an answer that can be read. */
  terms: string[];
  query: string;
}

/** Words that name what the baseline saw; a description may not use them. */
const SHAPES: Record<string, string> = {
  rows: "table rows predict columns",
  forecast: "forecast time series dates",
  masks: "image segmentation masks",
  "restored pixels": "image restoration denoising pixels",
  "ranked list": "ranking recommendation",
  sequence: "sequence to sequence translation transcription",
  unknown: "",
};
const READING = { memoryBytes: 256 * 1024 * 1024, seconds: 5 };

const MAX_TERMS = 12;
const MAX_TERM = 60;

export async function taskRequirements(
  contract: AgentContract,
  ask: AskModel | null,
  task?: string,
): Promise<TaskRequirements> {
  const description = task ?? readText(path.join(contract.data, "description.md"));
  const title = /^#\s+(.+)$/m.exec(description)?.[1]?.trim() ?? "";
  const { shape, metric, sampleHeader } = await inferred(contract.data);
  const kinds = mediaWords(contract.data);
  const terms = ask === null ? [] : await termsOf(ask, description);
  const query = [title, firstParagraphs(description), SHAPES[shape], metric, kinds, ...terms]
    .filter(Boolean)
    .join("\n");
  return { title, description, shape, metric, sampleHeader, terms, query };
}

/** Methods and libraries by their names, which a description may not say. */
async function termsOf(ask: AskModel, description: string): Promise<string[]> {
  const content = `Which repositories would help with this task? Answer with one JSON array of at most ${MAX_TERMS} search terms: methods, models, kinds of data, libraries; never the name of the competition.\n\n<task>\n${description.slice(0, 6000)}\n</task>`;
  const answer = await ask([{ role: "user", content }], []);
  if (answer.status !== "answered") return [];
  try {
    const list: unknown = JSON.parse(/\[[^[\]]*\]/.exec(answer.text.slice(0, 20_000))?.[0] ?? "[]");
    const texts = Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
    return texts.slice(0, MAX_TERMS).map((term) => term.slice(0, MAX_TERM));
  } catch {
    return [];
  }
}

async function inferred(data: string) {
  try {
    const sample = await readSample(data);
    if (sample === null) return { shape: "unknown", metric: "", sampleHeader: [] };
    const view = readPublicFiles(data, sample, READING);
    return { shape: inferTask(view).shape, metric: view.metric.name ?? "", sampleHeader: [...sample.header] };
  } catch (error) {
    console.log(`the baseline's look at the data failed: ${(error as Error).message}`);
    return { shape: "unknown", metric: "", sampleHeader: [] };
  }
}

/** The task itself, not the format of the submission. */
function firstParagraphs(description: string): string {
  return description.split(/\n#+ +(?:submission|files|data)/i)[0].slice(0, 4000);
}

function mediaWords(data: string): string {
  const endings = new Set(
    fs.existsSync(data)
      ? fs
          .readdirSync(data, { recursive: true })
          .slice(0, 2000)
          .map((file) => path.extname(String(file)).toLowerCase())
      : [],
  );
  const words = [];
  if ([".png", ".jpg", ".jpeg", ".tif"].some((ending) => endings.has(ending))) words.push("image pictures");
  if ([".wav", ".mp3", ".flac"].some((ending) => endings.has(ending))) words.push("audio sound");
  return words.join(" ");
}
