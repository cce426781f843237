// node plant.mjs <folder> <agents> <competitions> <seeds>: graded run groups as an evening of trials leaves them, without
// running one. Prints their folders.
import fs from "node:fs";
import splits from "../../src/competitions/splits.json" with { type: "json" };
import { plantScenery } from "../../tests/e2e/report/scenery.ts";

const [folder, agents, competitions, seeds] = process.argv.slice(2);
const ids = splits.split75
  .filter((id) => fs.existsSync(`src/competitions/${id}/leaderboard.json`))
  .slice(0, Number(competitions));
const groups = plantScenery(folder, {
  seeds: Number(seeds),
  competitions: ids,
  agents: Array.from({ length: Number(agents) }, (_, i) => `agent-${i + 1}`),
});
console.log(groups.join("\n"));
