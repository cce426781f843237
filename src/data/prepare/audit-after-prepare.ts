import { z } from "zod";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import { auditPrepared } from "../audit/audit.ts";

const SHOWN = 5;

/** What the leak scanner said about data that were just prepared; `mlebench audit` tells the rest. */
export const AuditSummary = z.object({
  verdict: z.enum(["clean", "warnings", "findings", "failed"]),
  leaks: z.int(),
  defects: z.int(),
  warnings: z.int(),
  /** The first findings, gravest first; or why the scanner failed. */
  messages: z.array(z.string()),
});
export type AuditSummary = z.infer<typeof AuditSummary>;

/**
 * Scans freshly prepared data. The data are complete by now, so whatever happens to the scanner, even a bug of its
 * own, is told in the summary and takes nothing back.
 */
export async function auditAfterPrepare(options: {
  competition: LoadedCompetition;
  dataDir: string;
  competitionVersion: CompetitionVersion;
  scratch: string;
  onProgress: (step: string) => void;
}): Promise<AuditSummary> {
  try {
    const { verdict, findings } = await auditPrepared(options);
    const count = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
    return {
      verdict,
      leaks: count("leak"),
      defects: count("defect"),
      warnings: count("warning") + count("suspicious"),
      messages: findings.slice(0, SHOWN).map(({ message }) => message),
    };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { verdict: "failed", leaks: 0, defects: 0, warnings: 0, messages: [cause] };
  }
}
