import { cellText, isMissing } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";

/** The rows of the answers that hold the last measurements of each patient; rows without one are not measurements. */
export function lastMeasurements(answers: Table, count: number): Set<number> {
  const volume = answers.column("FVC")!;
  const patients = new Map<string, { row: number; week: number }[]>();
  for (let row = 0; row < answers.rowCount; row++) {
    if (isMissing(volume, row)) continue;
    const patient = cellText(answers.column("Patient")!, row);
    const id = cellText(answers.column("Patient_Week")!, row);
    const weeks = patients.get(patient) ?? [];
    weeks.push({ row, week: Number(id.slice(id.lastIndexOf("_") + 1)) });
    patients.set(patient, weeks);
  }
  const last = [...patients.values()].flatMap((weeks) => weeks.sort((a, b) => a.week - b.week).slice(-count));
  return new Set(last.map(({ row }) => row));
}
