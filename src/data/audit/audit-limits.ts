/** How much the scanner reads. What lies beyond is named in the report, never passed over in silence. */
export interface AuditLimits {
  /** Of each table, from its start. */
  tableBytes: number;
  /** Rows of each table that are kept in memory, evenly spread. */
  sampleRows: number;
  /** Text of all those rows together, about; where it is more, the largest table keeps fewer rows. */
  sampleBytes: number;
  /** Answers that are kept in memory, from the start of their file. */
  answerRows: number;
  answerBytes: number;
  /** Files of one kind in one folder whose content is looked at, evenly spread. */
  filesPerFamily: number;
  /** Of a text file that is not a table. */
  textBytes: number;
  /** Of a picture, a recording or another binary file: metadata lies at its two ends. */
  headBytes: number;
  tailBytes: number;
  /** Unpacked from one archive, from all of them, and how deep archives inside archives are opened. */
  archiveBytes: number;
  allArchivesBytes: number;
  archiveDepth: number;
}

export const DEFAULT_AUDIT_LIMITS: AuditLimits = {
  tableBytes: 2 ** 30,
  sampleRows: 20_000,
  sampleBytes: 256 * 2 ** 20,
  answerRows: 200_000,
  answerBytes: 256 * 2 ** 20,
  filesPerFamily: 200,
  textBytes: 32 * 2 ** 20,
  headBytes: 256 * 2 ** 10,
  tailBytes: 64 * 2 ** 10,
  archiveBytes: 512 * 2 ** 20,
  allArchivesBytes: 2 * 2 ** 30,
  archiveDepth: 3,
};
