import {
  type Campaign,
  coverage,
  falsePositives,
  promisedAndFound,
  separatedHere,
} from "../unit/analysis/simulation.ts";

const repetitions = Number(process.argv[2] ?? 4000);
/** Those of the splits and seeds that people publish. */
const CAMPAIGNS: Campaign[] = [
  { competitions: 15, seeds: 3 },
  { competitions: 22, seeds: 3 },
  { competitions: 22, seeds: 5 },
  { competitions: 75, seeds: 3 },
  { competitions: 75, seeds: 8 },
];

for (const campaign of CAMPAIGNS) {
  const name = `${campaign.competitions} × ${campaign.seeds}`;
  for (const [interval, value] of Object.entries(coverage({ ...campaign, repetitions })))
    check(`${name}: coverage of ${interval}`, value, 0.93, 0.97);
  const { identical, onAverage, percentiles } = falsePositives({ ...campaign, repetitions });
  check(`${name}: false positives, the same agent twice`, identical, 0.03, 0.06);
  check(`${name}: false positives, equal on average only`, onAverage, 0.03, 0.06);
  check(`${name}: false positives, percentiles equal on average`, percentiles, 0.03, 0.06);
}
for (const [campaign, lead] of [
  [{ competitions: 22, seeds: 3 }, 0.2],
  [{ competitions: 22, seeds: 5 }, 0.15],
  [{ competitions: 75, seeds: 3 }, 0.1],
  [{ competitions: 15, seeds: 8 }, 0.15],
] as const) {
  const { promised, found } = promisedAndFound({ ...campaign, repetitions }, lead);
  const name = `${campaign.competitions} × ${campaign.seeds}, ${100 * lead} points apart: power`;
  check(`${name}, promised ${promised.toFixed(4)}`, found, promised - 0.05, promised + 0.05);
}
for (const competitions of [10, 22]) {
  const { seeds, found } = separatedHere({ competitions, repetitions }, 0.2);
  check(
    `${competitions} competitions, ${seeds} seeds: the interval over seeds leaves out zero`,
    found,
    0.78,
    0.92,
  );
}

function check(name: string, value: number, low: number, high: number): void {
  const good = value >= low && value <= high;
  if (!good) process.exitCode = 1;
  console.log(
    `${good ? "ok" : "FAILED"}  ${name}: ${value.toFixed(4)} (must lie in ${low.toFixed(4)} to ${high.toFixed(4)})`,
  );
}
