import path from "node:path";
import { reportParts } from "../../reporters/html/fragments.ts";
import { answer, gone, type Route, wrong } from "./route.ts";

const MAX_TRIALS = 4000;
const MAX_GROUPS = 6;

/** The report of one group, or of two to six compared: the same parts that `mlebench report` writes. */
export const report: Route = async (store, { groups = "" }) => {
  const ids = groups.split("|").filter(Boolean);
  if (ids.length === 0 || ids.length > MAX_GROUPS) return wrong(`Name one to ${MAX_GROUPS} groups.`);
  const found = ids.map((id) => store.group(id));
  const missing = found.indexOf(null);
  if (missing !== -1) return gone(`The run group ${ids[missing]}`);
  const trials = found.reduce((sum, group) => sum + (group?.cells.length ?? 0), 0);
  if (trials > MAX_TRIALS)
    return wrong(`${trials} trials are too many for a page: mlebench report writes them to a file.`);
  // Two groups of the same agent are told apart by their names.
  const agents = found.map((group) => group?.agent ?? "");
  const places = ids.map((id, i) => {
    const folder = path.join(store.runsDir, id);
    const alike = agents.filter((agent) => agent === agents[i]).length > 1;
    return alike ? `${id.replaceAll("=", "-")}=${folder}` : folder;
  });
  const read = await reportParts(places, { competitionsDir: store.competitionsDir, compare: ids.length > 1 });
  return read.ok ? answer(read.value) : wrong(read.message);
};
