import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { requireColumnSet, requireTypes } from "../preparing/rows/raw-checks.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** The original reads the table under these types, and fails where a column does not fit. */
const TYPES = {
  ...({ id: "int", breath_id: "int", R: "int", C: "int" } as const),
  ...({ time_step: "float", u_in: "float", u_out: "int", pressure: "float" } as const),
};

/** Whole breaths go to one half or the other; rows are numbered anew in each, from 1. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"), {
      kinds: { time_step: "float", u_in: "float", pressure: "float" },
    });
    requireColumnSet(csv, Object.keys(TYPES));
    requireTypes(csv, TYPES);
    const [breath] = readColumns(csv, ["breath_id"]);
    const breaths = [...groupRows(breath.numbers)].sort(([a], [b]) => a - b).map(([, rows]) => rows);
    const split = splitItems(breaths.length, preparation.settings.test_size);
    const rowsOf = (positions: Uint32Array) =>
      Uint32Array.from(Array.from(positions, (position) => breaths[position]).flat());
    const [train, test] = [rowsOf(split.train), rowsOf(split.test)];

    const newId = { name: "id", cell: (_: number, position: number) => String(position + 1) };
    const renumbered = csv.header.map((name) => (name === "id" ? newId : name));
    await writeRows(
      preparation,
      csv,
      [
        { path: join(preparation.public, "train.csv"), rows: train, columns: renumbered },
        {
          path: join(preparation.public, "test.csv"),
          rows: test,
          columns: renumbered.filter((column) => column !== "pressure"),
        },
        { path: join(preparation.private, "test.csv"), rows: test, columns: renumbered },
        {
          path: join(preparation.public, "sample_submission.csv"),
          rows: test,
          columns: [newId, { name: "pressure", value: "0" }],
        },
      ],
      { floats: "%.10g" },
    );
  },
});
