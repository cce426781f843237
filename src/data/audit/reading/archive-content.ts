import path from "node:path";
import type { Answers } from "../answers.ts";
import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import type { ArchiveListing } from "./archive-members.ts";
import type { TableView } from "./table-view.ts";

const HALF = 0.5;

/** Archives that lack the files their list names: none at all, or some of the items of train or test. */
export function findHollowArchives({ archives, answers, tables }: AuditContext): Finding[] | Skipped {
  if (archives.length === 0) return { skipped: "no public file is an archive" };
  return archives.flatMap((archive) => {
    if (archive.members.length === 0) return [emptyFinding(archive)];
    const wanted =
      archive.side === "test"
        ? (answers?.ids ?? [])
        : archive.side === "train"
          ? trainIds(tables, answers)
          : [];
    return missingFinding(archive, wanted);
  });
}

function trainIds(tables: readonly TableView[], answers: Answers | null): string[] {
  if (answers?.idColumns.length !== 1) return [];
  const [column] = answers.idColumns;
  const table = tables.find(({ role, columns }) => role === "train" && columns.includes(column));
  return table === undefined ? [] : table.sample.map(({ cells }) => cells[table.columns.indexOf(column)]);
}

function emptyFinding({ file, folders }: ArchiveListing): Finding {
  const entries =
    folders.length === 0 ? "no entry at all" : `only folder entries (${folders.slice(0, 3).join(", ")})`;
  return {
    check: "archive-content",
    severity: "defect",
    file,
    evidence: { what: `the archive has ${entries}`, measuredOn: folders.length },
    message: `${file} contains no file.`,
    nextStep: "Pack the files themselves when preparing, not the folder's name.",
  };
}

/** Only where most ids are names of members: elsewhere an archive is organised otherwise, which is not a defect. */
function missingFinding({ file, members }: ArchiveListing, ids: readonly string[]): Finding[] {
  const names = new Set(
    members.flatMap((member) => [path.basename(member), path.basename(member).replace(/\.[^.]*$/, "")]),
  );
  const missing = ids.filter((id) => !names.has(id));
  if (missing.length === 0 || missing.length > HALF * ids.length) return [];
  return [
    {
      check: "archive-content",
      severity: "defect",
      file,
      evidence: {
        what: `${missing.length} of ${ids.length} ids have no file in the archive, such as ${missing[0]}`,
        figure: 1 - missing.length / ids.length,
        measuredOn: ids.length,
      },
      message: `${file} lacks files of items that the tables name.`,
      nextStep: "Pack the files of all items when preparing.",
    },
  ];
}
