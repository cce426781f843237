// What the reports of all suites have in common: the machine, and tables in plain text.
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

export function machineLine({ date, cpu, cores, memoryGB, node }) {
  return `${date} · ${cpu}, ${cores} cores, ${memoryGB} GB · Node ${node}`;
}

/** A column is a title, a function from a result to its cell, and "left" where the cells begin at the same place. */
export function printColumns(columns, results) {
  const lines = [
    columns.map(([title]) => title),
    ...results.map((result) => columns.map(([, cell]) => cell(result))),
  ];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      columns[i][2] === "left" ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

export function verdict({ met }) {
  return met === null ? "" : met ? "pass" : "FAIL";
}
