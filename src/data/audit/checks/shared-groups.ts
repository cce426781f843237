import path from "node:path";
import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { isBlankCell } from "../reading/plain-cell.ts";
import type { PublicFile } from "../reading/public-files.ts";
import { groupKind, groupOfFile } from "./group-names.ts";

const A_NOTABLE_SHARE = 0.05;
const MIN_GROUPS = 3;

/** People and other groups with records in both train and test, by columns and by the names of files. */
export function findSharedGroups(context: AuditContext): Finding[] | Skipped {
  return [...sharedByColumn(context), ...sharedByName(context.files)];
}

function sharedByColumn({ tables, answers, loaded }: AuditContext): Finding[] {
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const train of tables) {
    if (train.role !== "train") continue;
    for (const [at, column] of train.columns.entries()) {
      const kind = groupKind(column);
      if (kind === null || reported.has(column) || loaded.competition.columns.id.includes(column)) continue;
      const test = tables.find(({ role, columns }) => role === "test" && columns.includes(column));
      const values = test
        ? test.sample.map(({ cells }) => cells[test.columns.indexOf(column)])
        : (answers?.columns.get(column)?.cells ?? []);
      const known = values.filter((value) => !isBlankCell(value));
      const groups = new Set(train.sample.map(({ cells }) => cells[at]));
      const shared = known.filter((value) => groups.has(value));
      if (new Set(shared).size < MIN_GROUPS || shared.length < A_NOTABLE_SHARE * known.length) continue;
      reported.add(column);
      const share = shared.length / known.length;
      findings.push({
        check: "shared-groups",
        severity: kind === "people" ? "defect" : "warning",
        file: train.file.path,
        evidence: {
          what: `${(share * 100).toFixed(1)} % of ${known.length} test rows belong to a "${column}" that is in train too, such as ${shared[0]}`,
          column,
          figure: share,
          measuredOn: known.length,
        },
        message: `Train and test share groups: "${column}".`,
        nextStep: `Split by "${column}", so that no group is in both parts, unless the task means it so.`,
      });
    }
  }
  return findings;
}

interface Named {
  file: PublicFile;
  group: string;
  number: number;
}

function sharedByName(files: readonly PublicFile[]): Finding[] {
  const named = files.flatMap((file): Named[] => {
    const found = file.side === null ? null : groupOfFile(path.basename(file.path));
    return found === null ? [] : [{ file, ...found }];
  });
  const train = named.filter(({ file }) => file.side === "train");
  const test = named.filter(({ file }) => file.side === "test");
  const groups = new Set(train.map(({ group }) => group));
  if (groups.size < MIN_GROUPS) return [];
  const shared = test.filter(({ group }) => groups.has(group));
  if (shared.length > 0 && shared.length >= A_NOTABLE_SHARE * test.length)
    return [nameFinding(shared, test.length)];
  return test.length === 0 ? gapFinding(train, groups.size) : [];
}

function nameFinding(shared: Named[], count: number): Finding {
  const { file, group } = shared[0];
  return {
    check: "shared-groups",
    severity: "defect",
    file: file.path,
    evidence: {
      what: `the names of ${shared.length} of ${count} test files carry a group (such as ${group}) that train has too`,
      figure: shared.length / count,
      measuredOn: count,
    },
    message: "Train and test share groups (speakers, patients or the like), as the names of their files say.",
    nextStep: "Split by the group that the file names begin with, so that no group is in both parts.",
  };
}

/**
 * Test files without groups in their names cannot be compared, but where train counts the records of each group and
 * numbers are missing from the middle, those are likely to be in test. No proof: records may have been lost before.
 */
function gapFinding(train: readonly Named[], groups: number): Finding[] {
  const numbers = new Map<string, Set<number>>();
  for (const { file, group, number } of train) {
    const key = `${path.dirname(file.path)}/${group}`;
    const set = numbers.get(key) ?? new Set();
    numbers.set(key, set.add(number));
  }
  const incomplete = [...numbers].filter(([, present]) => Math.max(...present) + 1 > present.size);
  if (incomplete.length < MIN_GROUPS) return [];
  const [first, present] = incomplete[0];
  const gap = Array.from({ length: Math.max(...present) }, (_, i) => i).find((i) => !present.has(i));
  return [
    {
      check: "shared-groups",
      severity: "warning",
      file: train[0].file.path,
      evidence: {
        what: `train numbers the records of ${groups} groups in its file names; ${incomplete.length} of ${numbers.size} series have gaps, such as ${first} without number ${gap}`,
        figure: incomplete.length / numbers.size,
        measuredOn: numbers.size,
      },
      message:
        "Groups (speakers, patients or the like) seem to be split between train and test: train lacks some records of the groups it has.",
      nextStep: "Check that the split was made by group; the names of the test files do not tell.",
    },
  ];
}
