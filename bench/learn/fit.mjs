// Fits our boosting on every fold of a data set: fit.mjs <bundle> <set folder> <threads> <repeats>
// Prints the least CPU and wall seconds of all fits together, and leaves the predictions beside the data. Cutting
// into bins and starting the helper threads are part of what is measured.
import fs from "node:fs";
import path from "node:path";
import { readNumbers } from "./data.mjs";

const [bundle, folder, threads, repeats] = process.argv.slice(2);
const { binFeatures, fitBoosting, predictBoosting, openTeam, closeTeam, takeRows } = await import(bundle);
const about = JSON.parse(fs.readFileSync(path.join(folder, "set.json"), "utf8"));
const { rows, columns, loss, folds, classes = 1 } = about;
const matrix = { rows, columns, values: readNumbers(folder, "values.f64") };
const target = readNumbers(folder, "target.f64");
const fold = readNumbers(folder, "fold.f64");
const predictions = new Float64Array(rows * classes);

let best = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
for (let repeat = 0; repeat < Number(repeats); repeat++) {
  let [cpu, wall, team] = [0, 0, null];
  for (let heldOut = 0; heldOut < folds; heldOut++) {
    const all = Array.from(fold, (_, row) => row);
    const test = all.filter((row) => fold[row] === heldOut);
    const train = all.filter((row) => fold[row] !== heldOut);
    const known = takeRows(matrix, train);
    const truth = Float64Array.from(train, (row) => target[row]);
    const [cpuStart, wallStart] = [process.cpuUsage(), performance.now()];
    team ??= openTeam(Number(threads));
    const model = fitBoosting(binFeatures(known), truth, { loss, classes, trees: 100, team });
    const used = process.cpuUsage(cpuStart);
    cpu += (used.user + used.system) / 1e6;
    wall += (performance.now() - wallStart) / 1e3;
    const predicted = predictBoosting(model, takeRows(matrix, test));
    for (let k = 0; k < classes; k++) {
      for (const [i, row] of test.entries()) predictions[k * rows + row] = predicted[k * test.length + i];
    }
  }
  await closeTeam(team);
  best = { cpu: Math.min(best.cpu, cpu), wall: Math.min(best.wall, wall) };
}
fs.writeFileSync(path.join(folder, "ours.f64"), predictions);
console.log(JSON.stringify(best));
