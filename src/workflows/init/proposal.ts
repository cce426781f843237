import path from "node:path";
import { chooseId } from "./id.ts";
import { chooseMetric, OWN_METRICS, type OwnMetricName } from "./metric.ts";
import { type InitRefusal, type Proposal, refusal } from "./schema.ts";
import { chooseSplit } from "./split.ts";
import { columnNamed, type OwnTableFile } from "./table.ts";
import { lonelyClasses, positiveOf, type TargetFacts, targetFacts } from "./target.ts";

/** What the author said; null where the table is to decide. */
export interface Wishes {
  target: string;
  metric: OwnMetricName | null;
  id: string | null;
  group: string | null;
  time: string | null;
  drop: readonly string[];
  testSize: number;
  seed: number;
}

/** Everything that can be decided from the table, each decision with its rule. */
export function propose(
  competitionId: string,
  source: OwnTableFile & { sha256: string },
  wishes: Wishes,
): Proposal | InitRefusal {
  const { table } = source;
  const target = columnNamed(table, wishes.target, "--target");
  if ("code" in target) return target;
  for (const name of wishes.drop) {
    const dropped = columnNamed(table, name, "--drop");
    if ("code" in dropped) return dropped;
    if (name === wishes.target)
      return refusal("BAD_DROP", `"${name}" is the target.`, "Drop another column, or none.");
  }
  const facts = targetFacts(target);
  if ("code" in facts) return facts;
  const choice = chooseMetric(facts, wishes.metric);
  if ("code" in choice) return choice;
  const { kind, metric } = choice;
  const lonely = kind === "number" ? [] : lonelyClasses(facts);
  if (kind === "binary" && lonely.length > 0)
    return refusal(
      "ONE_ROW_PER_CLASS",
      `${JSON.stringify(lonely[0])} occurs once in "${facts.name}": it can be learned or tested, not both.`,
      "Give a table with more of them.",
    );
  const split = chooseSplit({ table, kind, ...wishes, dropped: wishes.drop });
  if ("code" in split) return split;
  const classes = kind === "number" ? [] : [...facts.counts.keys()];
  const classColumns = metric === "log-loss" && kind === "classes" ? classes : [];
  const id = chooseId({
    table,
    target,
    wanted: wishes.id,
    dropped: wishes.drop,
    taken: new Set(classColumns),
    forwardInTime: split.rule.by === "time",
  });
  if ("code" in id) return id;
  if (classColumns.includes(id.column))
    return refusal(
      "ID_IS_A_CLASS",
      `A class of "${facts.name}" is called "${id.column}" like the id, and both would be columns of a submission.`,
      "Take --metric accuracy, or leave --id out.",
    );
  const dropped = [...wishes.drop, ...(id.leftOut === null ? [] : [id.leftOut])];
  const ruleColumn = "column" in split.rule ? split.rule.column : null;
  const unseen = [facts.name, id.column, ...dropped, ...(split.rule.by === "group" ? [ruleColumn] : [])];
  const features = table.header.filter((name) => !unseen.includes(name));
  if (features.length === 0)
    return refusal(
      "NO_FEATURES",
      `Besides id and target there is no column to predict "${facts.name}" from.`,
      "Give a table with more columns, or drop fewer.",
    );
  const positive = kind === "binary" && metric !== "accuracy" ? positiveOf(facts) : null;
  const { name, direction, best } = OWN_METRICS[metric];
  return {
    competitionId,
    name: titleOf(competitionId),
    table: {
      file: tableName(source.file),
      bytes: source.bytes,
      sha256: source.sha256,
      separator: source.separator,
    },
    rows: { used: facts.rows, withoutTarget: facts.missing },
    columns: features.length,
    dropped,
    id: { column: id.column, made: id.made, why: id.why },
    target: {
      column: facts.name,
      kind,
      why: choice.whyKind,
      classes,
      positive: positive?.positive ?? null,
      sample: sampleOf(facts, kind === "number"),
    },
    metric: { metric, name, direction, best, why: choice.whyMetric },
    split: {
      by: split.rule.by,
      column: ruleColumn,
      testSize: wishes.testSize,
      seed: wishes.seed,
      why: split.why,
    },
    notes: [
      ...(source.separator === ","
        ? []
        : [`Its fields are separated by ${JSON.stringify(source.separator)}.`]),
      ...(facts.missing === 0 ? [] : [`${facts.missing} rows have no "${facts.name}" and are left out.`]),
      ...(positive === null || isFlag(classes)
        ? []
        : [`1 in "${facts.name}" stands for ${JSON.stringify(positive.positive)} (${positive.why}).`]),
      ...(lonely.length === 0
        ? []
        : [
            `${lonely.length} classes have a single row, which goes to train, such as ${JSON.stringify(lonely[0])}.`,
          ]),
      ...split.notes,
    ],
  };
}

function isFlag(classes: readonly string[]): boolean {
  return classes.join() === "0,1";
}

/** A guess that takes no skill: the commonest class, or the median to two digits. */
function sampleOf({ counts, values }: TargetFacts, isNumber: boolean): string {
  if (!isNumber) return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
  const sorted = Float64Array.from(values!).sort();
  return String(Number(sorted[Math.floor((sorted.length - 1) / 2)].toPrecision(2)));
}

/** The file's own name, in letters that every archive and file system takes. */
function tableName(file: string): string {
  const stem = path
    .basename(file)
    .replace(/\.[^.]*$/, "")
    .replace(/[^a-z0-9-]+/gi, "-")
    .replace(/^-+|-+$/g, "");
  return `${stem === "" ? "table" : stem.slice(0, 60)}.csv`;
}

function titleOf(id: string): string {
  return id.replace(
    /(^|-)([a-z0-9])/g,
    (_, dash: string, letter: string) => `${dash === "" ? "" : " "}${letter.toUpperCase()}`,
  );
}

/** What a folder's name becomes as an id: small letters, digits and dashes. Empty when nothing is left. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
}
