// The one table that `npm run bench -- grade` prints.
import { machineLine, printColumns, verdict } from "../report.mjs";

const COLUMNS = [
  ["case", ({ name }) => name, "left"],
  ["CPU s", ({ cpu }) => cpu.toFixed(3)],
  ["wall s", ({ wall }) => wall.toFixed(3)],
  ["peak MB", ({ peakMB }) => peakMB.toFixed(0)],
  ["MB/s", ({ megabytesPerSecond: speed }) => speed?.toFixed(0) ?? ""],
  ["reading MB/s", ({ readingMegabytesPerSecond: speed }) => speed?.toFixed(0) ?? ""],
  ["Python CPU s", ({ python }) => python?.cpu.toFixed(2) ?? ""],
  ["Python MB", ({ python }) => python?.peakMB.toFixed(0) ?? ""],
  ["times faster", ({ python, timesSplit }) => ratio(python, timesSplit)],
  ["target", ({ target }) => targetText(target), "left"],
  ["", verdict, "left"],
];

export function printTable({ machine, rows, results }) {
  console.log(`${machineLine(machine)} · ${rows.toLocaleString("en")} rows\n`);
  printColumns(COLUMNS, results);
}

function ratio(python, timesSplit) {
  if (timesSplit !== undefined) return `${timesSplit.toFixed(2)}× split`;
  return python ? python.timesFaster.toFixed(1) : "";
}

function targetText({ cpu, peakMB, timesFaster, shareOfMemory, timesSplit }) {
  const parts = [];
  if (cpu !== undefined) parts.push(`≤ ${Number(cpu.toFixed(3))} s`);
  if (peakMB !== undefined) parts.push(`≤ ${peakMB} MB`);
  if (timesFaster !== undefined) parts.push(`≥ ${timesFaster}× less CPU`);
  if (shareOfMemory !== undefined) parts.push(`≤ ${shareOfMemory * 100} % memory`);
  if (timesSplit !== undefined) parts.push(`≤ ${timesSplit}× split`);
  return parts.join(", ");
}
