import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { AnswerColumn, Answers } from "./answers.ts";
import type { AuditLimits } from "./audit-limits.ts";
import type { Finding, Omission } from "./audit-schema.ts";
import type { ArchiveListing } from "./reading/archive-members.ts";
import type { PublicFile } from "./reading/public-files.ts";
import type { TableView } from "./reading/table-view.ts";
import type { TestItem } from "./test-items.ts";

/** What all checks look at. */
export interface AuditContext {
  loaded: LoadedCompetition;
  dataDir: string;
  publicFolder: string;
  privateFolder: string;
  /** Plain files and the members of archives. */
  files: readonly PublicFile[];
  archives: readonly ArchiveListing[];
  tables: readonly TableView[];
  answers: Answers | null;
  /** The columns of the answers that must not be found in public. */
  targets: readonly AnswerColumn[];
  items: readonly TestItem[];
  limits: AuditLimits;
  /** Tells the report what a check did not look at. */
  omit(omission: Omission): void;
}

/** Why a check could not be made: an outcome like any other, told in the report. */
export interface Skipped {
  skipped: string;
}

export type Check = (context: AuditContext) => Finding[] | Skipped | Promise<Finding[] | Skipped>;

export const NO_ANSWERS: Skipped = { skipped: "the answers are missing or not a table" };
