// What it costs to map large repositories, and how right the maps are: 40 random call edges per package against Python's
// own parser, ten questions per package whose answers were written down before. Needs the built package and
// scripts/install-repositories.sh.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureNode } from "../measure.mjs";
import { describeMachine } from "../report.mjs";
import { seeded } from "../seeded.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const MAIN = path.join(root, "dist/cli/main.js");
const PLACE = path.join(root, ".bench/repositories/unpacked/usr/lib/python3/dist-packages");
const QUESTIONS = path.join(root, "tests/fixtures/repositories/questions.json");
const TARGET = { cpu: 20, peakMB: 600, edges: 0.95 };
const EDGES = 40;
const BUDGETS = [500, 2000, 8000];

/** Exit code 0: every target met; 1: one is missed; 3: the packages are not there. */
export async function run(argv) {
  const { values: options } = parseArgs({
    args: argv,
    options: {
      json: { type: "boolean", default: false },
      only: { type: "string" },
      edges: { type: "string" },
    },
  });
  if (!fs.existsSync(PLACE)) {
    console.error("The packages are not here. Get them: bash scripts/install-repositories.sh");
    return 3;
  }
  const { packages } = JSON.parse(fs.readFileSync(QUESTIONS, "utf8"));
  const names = Object.keys(packages).filter((name) => !options.only || name === options.only);
  const cases = [];
  for (const name of names)
    cases.push(await measurePackage(name, packages[name], Number(options.edges ?? EDGES)));
  const met = cases.every(
    (one) =>
      one.cpu < TARGET.cpu &&
      one.peakMB < TARGET.peakMB &&
      one.edges.right / one.edges.checked >= TARGET.edges &&
      one.droppedFor.length === 0 &&
      one.contexts.every(({ tokens, budget }) => tokens <= budget),
  );
  const report = {
    schema: "mlebench/bench-repositories",
    version: 1,
    machine: describeMachine(),
    cases,
    met,
  };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else for (const one of cases) console.log(lineOf(one));
  return met ? 0 : 1;
}

async function measurePackage(name, questions, edgeCount) {
  const folder = path.join(PLACE, name);
  const { cpu, wall, peakMB } = measureNode([MAIN, "repo", "map", folder], {
    folder: path.dirname(PLACE),
    runs: 1,
  });
  const { findLeak, initialContext, moduleSearch, openRepository } = await import(
    path.join(root, "dist/public/repositories.js")
  );
  const { competitions } = await import(path.join(root, "dist/public/index.js"));
  const opened = await openRepository(folder);
  if (opened.status !== "mapped") throw new Error(`${folder}: ${opened.status}`);
  const { map } = opened;
  const texts = new Map();
  const read = (file, maxBytes) => {
    if (!texts.has(file)) texts.set(file, map.read(file, maxBytes));
    return texts.get(file);
  };
  const remembered = { ...map, read };
  const search = moduleSearch(map);
  const missed = questions.filter(([question, answers]) => {
    const found = search(question, 5).map(({ module }) => `${name}/${map.modules[module].path}`);
    return !answers.some((answer) => found.includes(answer));
  });
  return {
    name,
    modules: map.modules.length,
    cpu,
    wall,
    peakMB,
    edges: { all: map.calls.length, ...checkEdges(map, name, folder, edgeCount) },
    contexts: BUDGETS.map((budget) => ({ budget, tokens: initialContext(map, budget).tokens })),
    // A general library was made for none of the competitions.
    droppedFor: (await competitions()).flatMap(({ id, name: title }) => {
      const leak = findLeak(remembered, { id, title, sampleHeader: [], kernels: [] });
      return leak ? [{ id, ...leak }] : [];
    }),
    questions: {
      asked: questions.length,
      inFirstFive: questions.length - missed.length,
      missed: missed.map(([question]) => question),
    },
  };
}

function checkEdges(map, name, folder, count) {
  const random = seeded(5);
  const definition = (module, at) => (at === -1 ? "" : map.modules[module].outline.definitions[at].qualified);
  const python = map.calls.filter(({ fromModule }) => map.modules[fromModule].path.endsWith(".py"));
  const edges = Array.from({ length: count }, () => {
    const { fromModule, from, toModule, to, line } = python[Math.floor(random() * python.length)];
    return [
      map.modules[fromModule].path,
      definition(fromModule, from),
      line,
      map.modules[toModule].path,
      definition(toModule, to),
    ];
  });
  const input = JSON.stringify({ root: folder, package: name, edges });
  const checked = spawnSync("python3", [path.join(import.meta.dirname, "check_edges.py")], {
    input,
    encoding: "utf8",
  });
  if (checked.status !== 0) throw new Error(`check_edges.py: ${checked.stderr.slice(-1000)}`);
  return JSON.parse(checked.stdout);
}

function lineOf({ name, modules, cpu, wall, peakMB, edges, contexts, droppedFor, questions }) {
  const budgets = contexts.map(({ tokens, budget }) => `${tokens}/${budget}`).join(" ");
  const missed = questions.missed.length > 0 ? `; missed: ${questions.missed.join(" | ")}` : "";
  return `${name}: ${modules} modules, ${cpu.toFixed(1)} s of CPU (${wall.toFixed(1)} s), ${peakMB.toFixed(0)} MB; ${edges.right} of ${edges.checked} edges right (${edges.all} in all); context ${budgets}; ${questions.inFirstFive} of ${questions.asked} questions in the first five${missed}; dropped for ${droppedFor.length} competitions${droppedFor.map(({ id, where, found }) => ` (${id}: ${where}: ${found})`).join("")}`;
}
