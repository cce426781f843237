// The one table that `npm run bench -- learn` prints.
import { machineLine, printColumns, verdict } from "../report.mjs";

const COLUMNS = [
  ["data", ({ name }) => name, "left"],
  ["rows × columns", ({ rows, columns }) => `${rows.toLocaleString("en")} × ${columns}`],
  ["loss", ({ loss }) => loss, "left"],
  ["CPU s, 1 thread", ({ ours }) => ours.cpu.toFixed(2)],
  ["sklearn", ({ theirs }) => theirs?.cpu.toFixed(2) ?? ""],
  ["ratio", ({ cpuRatio }) => cpuRatio?.toFixed(2) ?? ""],
  ["wall s, 2 threads", ({ ours }) => ours.wall.toFixed(2)],
  ["sklearn", ({ theirs }) => theirs?.wall.toFixed(2) ?? ""],
  ["ratio", ({ wallRatio }) => wallRatio?.toFixed(2) ?? ""],
  ["our loss", ({ quality }) => quality.ours.toFixed(5)],
  ["sklearn", ({ quality }) => quality.theirs?.toFixed(5) ?? ""],
  ["allowed", ({ quality }) => (quality.allowed === undefined ? "" : `+${quality.allowed.toFixed(5)}`)],
  ["", verdict],
];

export function printTable({ machine, repeats, results }) {
  console.log(machineLine(machine));
  console.log(`100 iterations on every fold; seconds are sums over the folds, the least of ${repeats} runs.`);
  console.log("Targets: CPU ≤ 2.5 ×, wall ≤ 1.5 ×, loss no worse than allowed.\n");
  printColumns(COLUMNS, results);
}
