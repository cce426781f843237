import { parse } from "yaml";
import { nearestName } from "../../../wording/nearest.ts";
import { type SettingName, TreeSettings } from "./schema.ts";

export type SettingsOutcome =
  | { ok: true; settings: TreeSettings; ignored: string[] }
  | { ok: false; message: string };

/** Arguments of the original that have no meaning here: where things lie is the harness's affair. */
const OF_THE_ORIGINAL = new Set([
  ...["data_dir", "desc_file", "goal", "eval", "log_dir", "log_level", "workspace_dir", "exp_name"],
  ...["preprocess_data", "start_time", "generate_report", "exec.format_tb_ipython", "report.model"],
  ...["report.temp", "agent.time_limit", "agent.save_all_submission"],
  ...["copy_data", "exec.agent_file_name", "agent.expose_prediction"],
]);
const NAMES = Object.keys(TreeSettings.shape);

/**
 * Reads arguments as OmegaConf has them: `agent.steps=8`, or nested, `agent.search={num_drafts: 3, debug_prob: 0.5}`; of two
 * that name one setting the later counts. What the original knows and we do not need is named and left out.
 */
export function parseSettings(args: readonly string[]): SettingsOutcome {
  const given: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const argument of args) {
    const [, name, text] = /^(?:--)?([\w.]+)=([\s\S]*)$/.exec(argument) ?? [];
    if (name === undefined)
      return {
        ok: false,
        message: `"${argument}" is not of the form name=value; nested: name={part: value}.`,
      };
    const flat = NAMES.includes(name) ? [[name, text] as const] : flattened(name, text);
    for (const [own, value] of flat) {
      if (NAMES.includes(own)) given[own] = readValue(own as SettingName, value);
      else if (OF_THE_ORIGINAL.has(own)) ignored.push(own);
      else return { ok: false, message: unknownName(own) };
    }
  }
  const parsed = TreeSettings.safeParse(given);
  if (parsed.success) return { ok: true, settings: parsed.data, ignored };
  const [issue] = parsed.error.issues;
  const name = issue.path.join(".");
  return { ok: false, message: `${name}=${String(given[name]).slice(0, 80)}: ${issue.message}.` };
}

function unknownName(name: string): string {
  const group = NAMES.filter((known) => known.startsWith(`${name}.`));
  if (group.length > 0)
    return `"${name}" is a group of settings: name one, such as ${group[0]}=…, or several, ${name}={…}.`;
  const meant = nearestName(name, NAMES) ?? nearestPart(name);
  return `There is no setting "${name}"; ${meant === null ? "docs/tree.md lists all" : `did you mean ${meant}?`}`;
}

/** Where the last part alone is known: `num_drafts` for `agent.search.num_drafts`. */
function nearestPart(name: string): string | null {
  const lastOf = (full: string) => full.slice(full.lastIndexOf(".") + 1);
  const meant = nearestName(lastOf(name), NAMES.map(lastOf));
  return meant === null ? null : (NAMES.find((known) => lastOf(known) === meant) ?? null);
}

/** A value in braces is several settings; anything else is the one that was named. */
function flattened(name: string, text: string): (readonly [string, unknown])[] {
  if (!text.trimStart().startsWith("{")) return [[name, text]];
  try {
    return leavesOf(name, parse(text));
  } catch {
    return [[name, text]];
  }
}

function leavesOf(name: string, value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([part, own]) => leavesOf(`${name}.${part}`, own));
}

/** Python's and YAML's ways to write a value. Texts stay texts: a model may be called `4`. */
function readValue(name: SettingName, given: unknown): unknown {
  const isText = TreeSettings.shape[name].safeParse("a text").success;
  if (typeof given !== "string") return isText ? String(given) : given;
  if (isText) return given;
  if (/^(true|false)$/i.test(given)) return given.toLowerCase() === "true";
  const value = Number(given);
  return given.trim() !== "" && !Number.isNaN(value) ? value : given;
}
