// Fails on an import that points up, or sideways into a room of the same level. What may be imported from a room of
// the same level is its contract: the few files listed here. Also: rooms of at most 25 files, unit tests that mirror them.
import fs from "node:fs";
import path from "node:path";

const LEVELS = [
  ["files", "wording"],
  ["metrics", "table", "random", "formats", "archive"],
  ["learning", "competitions", "leaderboards"],
  ["data"],
  ["grading"],
  ["models", "sandbox", "repositories"],
  ["agents"],
  ["trials", "executors"],
  ["integrity", "analysis", "starter"],
  ["workflows"],
  ["reporters", "viewer"],
  ["cli", "public"],
];
const CONTRACTS = new Set([
  "table/python-text.ts",
  "formats/webassembly.ts",
  "metrics/arithmetic/argsort.ts",
  "executors/executor.ts",
  "executors/machine.ts",
  "reporters/html/fragments.ts",
  "integrity/findings/of-trial.ts",
  "integrity/contamination/contamination.ts",
  "analysis/statistics/student-t.ts",
  "executors/slurm/schema.ts",
]);

const source = path.resolve(import.meta.dirname, "../src");
const levelOf = new Map(LEVELS.flatMap((rooms, level) => rooms.map((room) => [room, level])));
const problems = [];

for (const file of fs.readdirSync(source, { recursive: true }).filter((name) => /\.(ts|mjs)$/.test(name))) {
  const [room] = file.split(path.sep);
  if (!levelOf.has(room)) problems.push(`src/${file}: "${room}" is not a room of the house`);
  const text = fs.readFileSync(path.join(source, file), "utf8");
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    const target = path.relative(source, path.resolve(source, path.dirname(file), specifier));
    const [targetRoom] = target.split(path.sep);
    if (targetRoom === room) {
      const [mine, other] = [competitionOf(file), competitionOf(target)];
      if (other && mine !== other && !file.endsWith(".generated.ts")) {
        problems.push(`src/${file} imports from another competition's folder: ${target}`);
      }
      continue;
    }
    const [from, to] = [levelOf.get(room), levelOf.get(targetRoom)];
    if (to > from) problems.push(`src/${file} imports upwards: ${target}`);
    if (to === from && !CONTRACTS.has(target))
      problems.push(`src/${file} imports from a room of its own level: ${target}`);
  }
}

const MAX_FILES_IN_A_ROOM = 25;
for (const top of ["src", "tests", "scripts", "bench"]) {
  for (const folder of [top, ...foldersBelow(top)]) {
    const files = fs
      .readdirSync(path.join(source, "..", folder), { withFileTypes: true })
      .filter((e) => e.isFile());
    if (files.length > MAX_FILES_IN_A_ROOM)
      problems.push(`${folder} has ${files.length} files side by side; ${MAX_FILES_IN_A_ROOM} are allowed`);
  }
}

const UNIT_TESTS = path.resolve(source, "../tests/unit");
/** Of the house as a whole, and of what a command loads: they belong to no folder. */
const OF_NO_FOLDER = new Set([
  "house/named-files.test.ts",
  "house/walks.test.ts",
  "cli/quick-commands.test.ts",
]);

for (const file of fs
  .readdirSync(UNIT_TESTS, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))) {
  const room = path.join(source, path.dirname(file));
  if (OF_NO_FOLDER.has(file)) continue;
  if (!fs.existsSync(room)) problems.push(`tests/unit/${file}: there is no src/${path.dirname(file)}`);
  else if (!reachedFrom(path.join(UNIT_TESTS, file)).some((target) => target.startsWith(room + path.sep)))
    problems.push(`tests/unit/${file} tests nothing of src/${path.dirname(file)}`);
}

/** What a test imports, also by way of files that lie beside it. */
function reachedFrom(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = fs.readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].flatMap(([, specifier]) => {
    const target = path.resolve(path.dirname(file), specifier);
    return target.startsWith(UNIT_TESTS) && fs.existsSync(target) ? reachedFrom(target, seen) : [target];
  });
}

/** Golden vectors are data, laid out as they were recorded. */
function foldersBelow(top) {
  return fs
    .readdirSync(path.join(source, "..", top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(path.relative(path.join(source, ".."), entry.parentPath), entry.name))
    .filter((folder) => !folder.includes("vectors"));
}

function competitionOf(file) {
  const [room, folder, ...rest] = file.split(path.sep);
  const shared = new Set(["shapes", "preparing"]);
  return room === "competitions" && rest.length > 0 && !shared.has(folder) ? folder : null;
}

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? "layers: every import points down" : `layers: ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
