import { coverage, falsePositiveRate } from "../unit/analysis/simulation.ts";

const { overSeeds, overBoth } = coverage({ repetitions: 4000, resamples: 1000 });
const falsePositives = falsePositiveRate({ repetitions: 4000, permutations: 1000 });
const results = {
  "coverage of the t interval": { value: overSeeds, low: 0.93, high: 0.97 },
  "coverage of the bootstrap": { value: overBoth, low: 0.93, high: 0.97 },
  "false positives of the paired test": { value: falsePositives, low: 0.03, high: 0.06 },
};
for (const [name, { value, low, high }] of Object.entries(results)) {
  const good = value >= low && value <= high;
  if (!good) process.exitCode = 1;
  console.log(`${good ? "ok" : "FAILED"}  ${name}: ${value.toFixed(4)} (must lie in ${low} to ${high})`);
}
