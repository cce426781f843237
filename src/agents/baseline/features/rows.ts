import fs from "node:fs";
import path from "node:path";
import { type Cells, cellsFrom, pickCells } from "../reading/cells.ts";
import { joinSideTable } from "../reading/side-tables.ts";
import { columnOf, placesOf, type TextTable } from "../reading/text-table.ts";
import type { PublicView, TaskOfRows } from "../task.ts";
import type { TableColumn } from "./column-describers.ts";
import type { FeatureSource } from "./features.ts";
import { pictureFeatures } from "./pictures.ts";
import { SPECTRUM, soundFeatures } from "./sounds.ts";
import { type MediaFeatures, tableFeatures } from "./tables.ts";

/** Features of the training rows in the order given, and of the rows of the sample submission in its order. */
export function readFeatures(
  task: TaskOfRows,
  view: PublicView,
  trainRows: readonly number[],
): FeatureSource {
  const { sample, memory } = view;
  const columns = [...ownColumns(task, view, trainRows)];
  return tableFeatures(columns, readMedia(view, trainRows), {
    trainRows: trainRows.length,
    testRows: sample.rows,
    memory,
  });
}

/** What train and test both have, and what other tables know of it. */
function ownColumns(task: TaskOfRows, view: PublicView, trainRows: readonly number[]): TableColumn[] {
  const { sample, test, sideTables } = view;
  const train = view.train as TextTable;
  if (test === null) return [];
  const places = placesOf(test, sample);
  const { separation } = task;
  // Groups that the test does not share tell nothing about it.
  const skipped = new Set([...sample.header, separation.by === "groups" ? separation.column : ""]);
  const picked = (name: string): TableColumn => ({
    name,
    train: pickCells(cellsOf(train, name), trainRows),
    test: pickCells(cellsOf(test, name), places),
  });
  const shared = test.header.filter((name) => !skipped.has(name) && train.header.includes(name));
  return [...shared.map(picked), ...sideTables.flatMap((side) => joinSideTable(side, picked(side.key)))];
}

function cellsOf(table: TextTable, name: string): Cells {
  return columnOf(table, name) ?? cellsFrom(table.rows, () => "");
}

/** A picture or a sound for each row, if there is one. */
function readMedia({ sample, media, train }: PublicView, trainRows: readonly number[]): MediaFeatures | null {
  if (media === null || train === null) return null;
  const ids = cellsOf(train, sample.header[0]);
  const reader = (folder: string, id: (row: number) => string | undefined) => (row: number) => {
    const file = path.join(folder, `${id(row)}.${media.extension}`);
    return fs.existsSync(file) ? fs.readFileSync(file) : null;
  };
  const read = {
    train: reader(media.trainFolder, (row) => ids.at(trainRows[row])),
    test: reader(media.testFolder, (row) => sample.columns[0].at(row)),
  };
  if (media.kind === "sounds") {
    const known = soundFeatures(read.train, trainRows.length);
    const asked = soundFeatures(read.test, sample.rows, known.described.columns);
    return {
      described: { train: known.described, test: asked.described },
      pictures: {
        of: "sounds",
        shape: { width: SPECTRUM.width, height: SPECTRUM.height, channels: 1 },
        pixels: { train: known.spectra, test: asked.spectra },
      },
    };
  }
  const known = pictureFeatures(read.train, trainRows.length);
  const asked = pictureFeatures(read.test, sample.rows, known);
  return {
    described: { train: known.described, test: asked.described },
    pictures: {
      of: "pictures",
      shape: { width: known.width, height: known.height, channels: 1 },
      pixels: { train: known.pixels, test: asked.pixels },
    },
  };
}
