// What it costs to compare many files: 100 files of trials with 100 kernels are 10,000 pairs, and four times as many
// trials must not take more memory. Needs the built package.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureNode } from "../measure.mjs";
import { describeMachine } from "../report.mjs";
import { seeded } from "../seeded.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const MAIN = path.join(root, "dist/cli/main.js");
const SOURCES = path.join(root, "tests/unit/integrity/plagiarism/sources");
const COMPETITION = "leaf-classification";
const KERNELS = 100;
const SECONDS = 60;
/** How much more memory four times the trials may take. */
const GROWTH = 1.35;

/** Exit code 0: every target met; 1: one is missed. `--quick` leaves out the large case. */
export async function run(argv) {
  const { values: options } = parseArgs({
    args: argv,
    options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
  });
  const folder = path.join(root, ".bench/plagiarism");
  fs.rmSync(folder, { recursive: true, force: true });
  const cases = (options.quick ? [100] : [100, 400]).map((files) => measureCase(files, folder));
  const [small, large] = cases;
  const met =
    cases.every(({ cpu, pairs }) => cpu < (SECONDS * pairs) / 10_000) &&
    (large === undefined || large.peakMB < GROWTH * small.peakMB);
  const report = { schema: "mlebench/bench-plagiarism", version: 1, machine: describeMachine(), cases, met };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else {
    const { machine } = report;
    console.log(`${machine.date} · ${machine.cpu}, ${machine.cores} cores · Node ${machine.node}\n`);
    for (const { files, pairs, lines, cpu, wall, peakMB } of cases)
      console.log(
        `${files} files of trials × ${KERNELS} kernels = ${pairs.toLocaleString("en")} pairs (${lines.toLocaleString("en")} lines): ${cpu.toFixed(1)} s of CPU, ${wall.toFixed(1)} s, ${peakMB.toFixed(0)} MB`,
      );
    console.log(`\ntargets (${SECONDS} s of CPU for 10,000 pairs, memory flat): ${met ? "met" : "MISSED"}`);
  }
  fs.rmSync(folder, { recursive: true, force: true });
  return met ? 0 : 1;
}

function measureCase(files, folder) {
  const place = path.join(folder, String(files));
  const random = seeded(files);
  const blocks = fs
    .readdirSync(SOURCES)
    .filter((name) => name.endsWith(".py"))
    .flatMap((name) => fs.readFileSync(path.join(SOURCES, name), "utf8").split(/\n\n\n(?=\S)/));
  let lines = 0;
  const write = (name) => {
    // About 300 lines, as notebooks have them: blocks of real code in another order, with names of their own.
    const text = Array.from({ length: 25 }, () => blocks[Math.floor(random() * blocks.length)])
      .join("\n\n\n")
      .replaceAll("frame", `f${Math.floor(random() * 1e6)}`);
    lines += text.split("\n").length;
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, text);
  };
  for (let i = 0; i < KERNELS; i++) write(path.join(place, "kernels", COMPETITION, `author_kernel-${i}.py`));
  const list = Array.from({ length: files / 10 }, (_, trial) => {
    const code = path.join(place, `trial-${trial}/code`);
    for (let i = 0; i < 10; i++) write(path.join(code, `part-${i}.py`));
    return JSON.stringify({ competition_id: COMPETITION, code_path: code });
  });
  fs.writeFileSync(path.join(place, "list.jsonl"), list.join("\n"));
  const measured = measureNode(
    [
      ...[
        MAIN,
        "plagiarism",
        "--submission",
        path.join(place, "list.jsonl"),
        "--kernels",
        path.join(place, "kernels"),
      ],
      ...["--output-dir", path.join(place, "out"), "--threshold", "0.99"],
    ],
    { folder: place, runs: 1, exitCodes: [0, 1] },
  );
  // Trials are compared with each other, too.
  const between = ((files / 10) * (files / 10 - 1)) / 2;
  const { cpu, wall, peakMB } = measured;
  return { files, pairs: files * KERNELS + between * 100, lines, cpu, wall, peakMB };
}
