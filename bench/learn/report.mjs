// The one table that `npm run bench -- learn` prints.

const COLUMNS = [
  ["data", ({ name }) => name],
  ["rows × columns", ({ rows, columns }) => `${rows.toLocaleString("en")} × ${columns}`],
  ["loss", ({ loss }) => loss],
  ["CPU s, 1 thread", ({ ours }) => ours.cpu.toFixed(2)],
  ["sklearn", ({ theirs }) => theirs?.cpu.toFixed(2) ?? ""],
  ["ratio", ({ cpuRatio }) => cpuRatio?.toFixed(2) ?? ""],
  ["wall s, 2 threads", ({ ours }) => ours.wall.toFixed(2)],
  ["sklearn", ({ theirs }) => theirs?.wall.toFixed(2) ?? ""],
  ["ratio", ({ wallRatio }) => wallRatio?.toFixed(2) ?? ""],
  ["our loss", ({ quality }) => quality.ours.toFixed(5)],
  ["sklearn", ({ quality }) => quality.theirs?.toFixed(5) ?? ""],
  ["allowed", ({ quality }) => (quality.allowed === undefined ? "" : `+${quality.allowed.toFixed(5)}`)],
  ["", ({ met }) => (met === null ? "" : met ? "pass" : "FAIL")],
];

export function printTable({ machine, repeats, results }) {
  const { date, cpu, cores, memoryGB, node } = machine;
  console.log(`${date} · ${cpu}, ${cores} cores, ${memoryGB} GB · Node ${node}`);
  console.log(`100 iterations on every fold; seconds are sums over the folds, the least of ${repeats} runs.`);
  console.log("Targets: CPU ≤ 2.5 ×, wall ≤ 1.5 ×, loss no worse than allowed.\n");
  const lines = [
    COLUMNS.map(([title]) => title),
    ...results.map((result) => COLUMNS.map(([, cell]) => cell(result))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i === 0 || i === 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]),
    );
    console.log(cells.join("  ").trimEnd());
  }
}
