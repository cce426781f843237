import type { OwnTarget } from "../../competitions/preparing/splits/split-own-table.ts";
import type { OwnMetricName } from "./metric.ts";
import type { Proposal } from "./schema.ts";

export const RAW_ARCHIVE = "raw.zip";

/** What the answers hold in place of the target. */
export function ownTarget({ target, metric }: Proposal): OwnTarget {
  const { column, kind, classes, positive, sample } = target;
  if (kind === "number") return { column, as: "number", sample };
  if (positive !== null) return { column, as: "probability", positive };
  if (metric.metric === "log-loss") return { column, as: "probabilities", classes };
  return { column, as: "label", sample };
}

/** The columns of a submission besides the id. */
export function submissionColumns(proposal: Proposal): readonly string[] {
  const target = ownTarget(proposal);
  return target.as === "probabilities" ? target.classes : [target.column];
}

/** `competition.mjs`: facts and grader. */
export function competitionModule(proposal: Proposal): string {
  const { competitionId: id, name, table, metric } = proposal;
  const grader = graderText(proposal);
  const facts = {
    id,
    name,
    category: "Tabular",
    complexity: "dev",
    contest: "simple",
    dataSizeGB: Number((table.bytes / 1e9).toPrecision(2)),
    opened: null,
    closed: null,
    metric: { name: metric.name, direction: metric.direction },
    columns: { id: [proposal.id.column], target: submissionColumns(proposal) },
    files: {
      answers: "prepared/private/test.csv",
      sampleSubmission: "prepared/public/sample_submission.csv",
    },
    shippedRaw: RAW_ARCHIVE,
  };
  return `${grader.imports.join("\n")}

export const competition = defineCompetition({
${fieldLines(facts)}
  grade: ${grader.call},
});
`;
}

/** `prepare.mjs`: how the shipped table becomes train, test and answers. */
export function prepareModule(proposal: Proposal): string {
  const { table, id, dropped, split } = proposal;
  const fields = {
    table: table.file,
    ...(table.separator === "," ? {} : { separator: table.separator }),
    id: id.made ? { made: id.column } : id.column,
    target: ownTarget(proposal),
    ...(dropped.length === 0 ? {} : { drop: dropped }),
    split: split.column === null ? { by: split.by } : { by: split.by, column: split.column },
    testSize: split.testSize,
    seed: split.seed,
  };
  return `import { splitOwnTable } from "mlebench/competition";

export const preparer = splitOwnTable({
${fieldLines(fields)}
});
`;
}

const GRADERS: Record<OwnMetricName, string> = {
  auc: "binaryAuc",
  "log-loss": "binaryLogLoss",
  accuracy: "labelAccuracy",
  "quadratic-kappa": "gradeKappa",
  rmse: "regression",
  mae: "regression",
  rmsle: "regression",
};

function graderText(proposal: Proposal): { imports: string[]; call: string } {
  const { metric: name } = proposal.metric as { metric: OwnMetricName };
  const submitted = ownTarget(proposal);
  const id = literal(proposal.id.column);
  const target = literal(submitted.column);
  const ours = (names: string[]) => `import { ${names.sort().join(", ")} } from "mlebench/competition";`;
  if (submitted.as === "probabilities")
    return {
      imports: [ours(["defineCompetition", "isRoughlyOne", "multiclassLogLoss"])],
      call: callText("multiclassLogLoss", {
        id,
        classes: literal(submitted.classes),
        isOne: "isRoughlyOne",
        sumOrder: literal("classes"),
      }),
    };
  const grader = GRADERS[name];
  if (grader !== "regression")
    return { imports: [ours(["defineCompetition", grader])], call: callText(grader, { id, target }) };
  return {
    imports: [
      ours(["defineCompetition", "regression"]),
      `import { ${name} } from "mlebench/metrics/${name}";`,
    ],
    call: callText("regression", {
      id,
      target,
      error: name,
      // A logarithm needs numbers from 0.
      ...(name === "rmsle" ? { range: "[0, Number.MAX_VALUE]" } : {}),
      rows: literal("independent"),
    }),
  };
}

/** The arguments are code already. */
function callText(name: string, fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
  return `${name}({ ${parts.join(", ")} })`;
}

function fieldLines(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `  ${name}: ${literal(value)},`)
    .join("\n");
}

/** A value as JavaScript. Names of columns may hold anything; JSON's quoting is safe for all of it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`);
  return `{ ${fields.join(", ")} }`;
}
