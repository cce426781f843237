// What WebAssembly earns: the two innermost loops of the learners against the same loops in plain JavaScript, interleaved
// in one process, as ratios of CPU time. Both give the same numbers, which is checked.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { seeded } from "../seeded.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const ROUNDS = 15;
/** Below these the assembler would not be worth its lines. */
const TARGETS = { multiply: 2, histogram: 1.5 };

export async function run(options) {
  const { createMultiply, assembleRowLoops } = await loadKernels();
  const ratios = {
    multiply: compare(multiplications(createMultiply())),
    histogram: compare(histograms(assembleRowLoops())),
  };
  for (const [name, ratio] of Object.entries(ratios))
    console.log(
      `${name}: plain JavaScript takes ${ratio.toFixed(2)} times the CPU (target ${TARGETS[name]})`,
    );
  if (options.includes("--json")) console.log(JSON.stringify(ratios));
  return Object.entries(TARGETS).every(([name, target]) => ratios[name] >= target) ? 0 : 1;
}

async function loadKernels() {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-kernels-")), "kernels.mjs");
  const contents = `export { createMultiply } from "./algebra/multiply.ts";
export { assembleRowLoops } from "./boosting/loops.ts";`;
  await build({
    stdin: { contents, resolveDir: path.join(root, "src/learning"), loader: "ts" },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
  });
  return import(pathToFileURL(file).href);
}

/** A layer of a small network: 256 rows, 288 inputs, 64 outputs. */
function multiplications(multiply) {
  const [m, k, n] = [256, 288, 64];
  const random = seeded(1);
  const a = Float32Array.from({ length: m * k }, () => random() - 0.5);
  const b = Float32Array.from({ length: k * n }, () => random() - 0.5);
  const [ours, plain] = [new Float32Array(m * n), new Float32Array(m * n)];
  return {
    repeat: 20,
    ours: () => multiply({ values: a }, { values: b }, ours, { m, k, n }),
    plain() {
      plain.fill(0);
      for (let row = 0; row < m; row++)
        for (let inner = 0; inner < k; inner++) {
          const factor = a[row * k + inner];
          for (let column = 0; column < n; column++)
            plain[row * n + column] += factor * b[inner * n + column];
        }
    },
    check: () => requireClose(ours, plain, 1e-3),
  };
}

/** One feature of 100,000 rows in 255 bins, rows in the order of a grown node: shuffled, half of them. */
function histograms(code) {
  const rows = 100_000;
  const random = seeded(2);
  const [BINS, ROWS, STATISTICS, HISTOGRAM] = [0, 1 << 17, 1 << 20, 1 << 23];
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true });
  const { histogram } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } }).exports;
  const bins = new Uint8Array(memory.buffer, BINS, rows).map(() => Math.floor(random() * 255));
  new Uint8Array(memory.buffer, BINS, rows).set(bins);
  const order = Uint32Array.from({ length: rows / 2 }, () => Math.floor(random() * rows));
  new Uint32Array(memory.buffer, ROWS, order.length).set(order);
  // Gradients are whole numbers, so that their sums do not depend on the order: 64 bits there, doubles here.
  const statistics = Float64Array.from({ length: order.length * 2 }, () =>
    Math.round((random() - 0.5) * 2 ** 30),
  );
  new BigInt64Array(memory.buffer, STATISTICS, statistics.length).set(Array.from(statistics, BigInt));
  const plain = new Float64Array(512);
  return {
    repeat: 20,
    ours: () => histogram(BINS, ROWS, ROWS + 4 * order.length, STATISTICS, HISTOGRAM, 512 * 8),
    plain() {
      plain.fill(0);
      for (let i = 0; i < order.length; i++) {
        const entry = bins[order[i]] << 1;
        plain[entry] += statistics[2 * i];
        plain[entry + 1] += statistics[2 * i + 1];
      }
    },
    check: () => requireClose(Array.from(new BigInt64Array(memory.buffer, HISTOGRAM, 512), Number), plain, 0),
  };
}

function compare({ ours, plain, repeat, check }) {
  const times = { ours: [], plain: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries({ ours, plain })) {
      const before = process.cpuUsage();
      for (let i = 0; i < repeat; i++) work();
      times[name].push(process.cpuUsage(before).user);
    }
  }
  check();
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  return median(times.plain) / median(times.ours);
}

function requireClose(a, b, tolerance) {
  for (let i = 0; i < a.length; i++)
    if (Math.abs(a[i] - b[i]) > tolerance) throw new Error(`entry ${i}: ${a[i]} and ${b[i]} differ`);
}
