import fs from "node:fs";
import { parseArgs } from "node:util";
import { resolveSplit } from "../../src/competitions/splits.ts";

const HELP = `npm run field [-- options]

Makes the leaderboards of the starter competitions again: prepares the suite in a temporary folder, runs every solution
of every field, grades each, and writes src/competitions/<id>/leaderboard.json.

  --competition <id>   only this one; may be given several times
  --check              write nothing; exit 1 if a board differs from the one that is there
  --solutions <file>   also write name, family, score and seconds of every solution as CSV; - for standard output
  --threads <n>        worker threads, 2 by default; the result does not depend on it
  --rungs              run the reference rungs instead: scripts in Python (src/starter/rungs) with scikit-learn, xgboost
                       and torch, one at a time; they stand on the board beside the field
  --submissions <dir>  keep the rungs' submissions there, and take those that are there already (not with --check)
  --table              write the table of docs/starter.md from the boards; with --check only compare
  --baseline <group>   with --table: take the baseline's scores from this run group or grading report
  --missing            with --rungs: make only those that the board does not have yet, keep the others as they are
  --list               say which competitions have a field

examples:
  npm run field -- --competition starter-spam --solutions -
  npm run field -- --check
  npm run field -- --rungs --check --competition starter-births
  npm run field -- --table --baseline mlebench-demo/runs/<group of the baseline>
`;

export interface Options {
  ids: string[];
  check: boolean;
  solutions: string | undefined;
  threads: number;
  rungs: boolean;
  submissions: string | undefined;
  missing: boolean;
  table: boolean;
  baseline: string | undefined;
}

/** What was asked for, or the exit code where nothing is to be done. */
export function readOptions(args: string[]): Options | number {
  const values = parsed(args);
  if (typeof values === "string") return misused(values);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const known = competitionsWithField();
  if (values.list) {
    process.stdout.write(`${known.join("\n")}\n`);
    return 0;
  }
  const unknown = values.competition?.find((id) => !known.includes(id));
  if (unknown !== undefined) return misused(`there is no field "${unknown}"; there are: ${known.join(", ")}`);
  const threads = Number(values.threads);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64)
    return misused("--threads takes a number from 1 to 64");
  const { check, solutions, rungs, submissions, missing, table, baseline } = values;
  if (table && (rungs || values.competition))
    return misused("--table is made of all boards, and of boards alone");
  if (missing && (!rungs || check)) return misused("--missing belongs to --rungs, and has nothing to check");
  if (baseline !== undefined && !table) return misused("--baseline belongs to --table");
  const ids = values.competition ?? known;
  return { ids, check, solutions, threads, rungs, submissions, missing, table, baseline };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        competition: { type: "string", multiple: true },
        check: { type: "boolean", default: false },
        solutions: { type: "string" },
        threads: { type: "string", default: "2" },
        rungs: { type: "boolean", default: false },
        submissions: { type: "string" },
        missing: { type: "boolean", default: false },
        table: { type: "boolean", default: false },
        baseline: { type: "string" },
        list: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function misused(message: string): number {
  console.error(`error  ${message}`);
  return 2;
}

/** The bundler has put one program for each field beside this one. */
function competitionsWithField(): string[] {
  const split = resolveSplit("starter");
  const here = new URL(".", import.meta.url);
  return split.ok ? split.ids.filter((id) => fs.existsSync(new URL(programOf(id), here))) : [];
}

function programOf(competitionId: string): string {
  return `./${competitionId.replace("starter-", "")}.mjs`;
}
