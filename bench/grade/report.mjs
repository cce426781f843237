// The one table that `npm run bench -- grade` prints.
import os from "node:os";

export function describeMachine() {
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpu.model,
    cores: os.cpus().length,
    memoryGB: Math.round(os.totalmem() / 1e9),
    node: process.version,
  };
}

const COLUMNS = [
  ["case", ({ name }) => name],
  ["CPU s", ({ cpu }) => cpu.toFixed(3)],
  ["wall s", ({ wall }) => wall.toFixed(3)],
  ["peak MB", ({ peakMB }) => peakMB.toFixed(0)],
  ["MB/s", ({ megabytesPerSecond: speed }) => speed?.toFixed(0) ?? ""],
  ["reading MB/s", ({ readingMegabytesPerSecond: speed }) => speed?.toFixed(0) ?? ""],
  ["Python CPU s", ({ python }) => python?.cpu.toFixed(2) ?? ""],
  ["Python MB", ({ python }) => python?.peakMB.toFixed(0) ?? ""],
  ["times faster", ({ python, timesSplit }) => ratio(python, timesSplit)],
  ["target", ({ target }) => targetText(target)],
  ["", ({ met }) => (met === null ? "" : met ? "pass" : "FAIL")],
];

export function printTable({ machine, rows, results }) {
  const { date, cpu, cores, memoryGB, node } = machine;
  console.log(
    `${date} · ${cpu}, ${cores} cores, ${memoryGB} GB · Node ${node} · ${rows.toLocaleString("en")} rows\n`,
  );
  const lines = [
    COLUMNS.map(([title]) => title),
    ...results.map((result) => COLUMNS.map(([, cell]) => cell(result))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i === 0 || i >= COLUMNS.length - 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

function ratio(python, timesSplit) {
  if (timesSplit !== undefined) return `${timesSplit.toFixed(2)}× split`;
  return python ? python.timesFaster.toFixed(1) : "";
}

function targetText({ cpu, peakMB, timesFaster, shareOfMemory, timesSplit }) {
  const parts = [];
  if (cpu !== undefined) parts.push(`≤ ${cpu} s`);
  if (peakMB !== undefined) parts.push(`≤ ${peakMB} MB`);
  if (timesFaster !== undefined) parts.push(`≥ ${timesFaster}× less CPU`);
  if (shareOfMemory !== undefined) parts.push(`≤ ${shareOfMemory * 100} % memory`);
  if (timesSplit !== undefined) parts.push(`≤ ${timesSplit}× split`);
  return parts.join(", ");
}
