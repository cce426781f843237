// A raw taxi file of any size, the same on every machine: eight columns as in the official one, full-length floats.
import fs from "node:fs";
import path from "node:path";
import { seeded } from "../seeded.mjs";

const HEADER =
  "key,fare_amount,pickup_datetime,pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude,passenger_count\n";
const ROWS_PER_WRITE = 20_000;

/** The folder of raw data; made once, then reused. */
export function makeTaxiData(folder, rows) {
  const raw = path.join(folder, `taxi-${rows}`);
  const target = path.join(raw, "train.csv");
  if (fs.existsSync(target)) return raw;
  fs.mkdirSync(raw, { recursive: true });
  fs.writeFileSync(path.join(raw, "GCP-Coupons-Instructions.rtf"), "{\\rtf1}");
  const random = seeded(1);
  const partial = `${target}.partial`;
  const file = fs.openSync(partial, "w");
  fs.writeSync(file, HEADER);
  for (let done = 0; done < rows; done += ROWS_PER_WRITE) {
    let text = "";
    for (let row = done; row < Math.min(rows, done + ROWS_PER_WRITE); row++) text += taxiRow(row, random);
    fs.writeSync(file, text);
  }
  fs.closeSync(file);
  fs.renameSync(partial, target);
  return raw;
}

function taxiRow(row, random) {
  const time = new Date(Date.UTC(2009, 0, 1) + Math.floor(random() * 2e11)).toISOString();
  const when = `${time.slice(0, 10)} ${time.slice(11, 19)}`;
  const fare = (2.5 + Math.floor(random() * 500) / 10).toString();
  const degrees = (centre) => (centre + (random() - 0.5) / 5).toFixed(6 + Math.floor(random() * 9));
  const places = [degrees(-73.98), degrees(40.75), degrees(-73.98), degrees(40.75)].join(",");
  return `${when}.000${row},${fare},${when} UTC,${places},${1 + Math.floor(random() * 6)}\n`;
}
