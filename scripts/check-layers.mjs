// Fails on an import that points up, or sideways into a room of the same level. What may be imported from a room of
// the same level is its contract: the few files listed here.
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
  "metrics/arithmetic/argsort.ts",
  "executors/executor.ts",
  "executors/machine.ts",
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
