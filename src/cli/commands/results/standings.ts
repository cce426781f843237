import path from "node:path";
import { type Command, Option } from "commander";
import { readDisclosure } from "../../../analysis/disclosure.ts";
import type { Disclosure, Standings } from "../../../analysis/standings/schema.ts";
import { standings } from "../../../analysis/standings/standings.ts";
import { severalAgents } from "../../../analysis/whose.ts";
import { writeFileAtomically } from "../../../files/write-file.ts";
import {
  standingsCsv,
  standingsLines,
  standingsMarkdown,
  standingsTable,
} from "../../../reporters/standings/formats.ts";
import { readFingerprint } from "../../../trials/certificate/signing.ts";
import { readGroup } from "../../../trials/group/folder.ts";
import { standingsPage } from "../../../viewer/standings-page.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { pageWidth, paint, print, printError, printJson, printLines, writeOut } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

const FORMATS = {
  text: (result: Standings) => `${standingsLines(result, plain, Number.POSITIVE_INFINITY).join("\n")}\n`,
  markdown: standingsMarkdown,
  csv: standingsCsv,
  json: (result: Standings) => `${JSON.stringify(result, null, 2)}\n`,
  html: (result: Standings) => standingsPage(result, standingsTable(result)),
} as const;

/** A file has no colours. */
function plain(_: unknown, text: string): string {
  return text;
}

interface Options extends DataOptions, RunsOptions {
  format: keyof typeof FORMATS;
  output?: string;
  published: boolean;
  verify: boolean;
  padMissing?: boolean;
  key?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(command))
      .argument(
        "[experiments...]",
        "disclosures (.yaml, .json), or run groups and grading reports, separated by commas",
      )
      .addOption(
        new Option("--format <format>", "how to write it").choices(Object.keys(FORMATS)).default("text"),
      )
      .option("--output <file>", "write it into a file")
      .option("--pad-missing", "count missing runs as failed, where no disclosure says so")
      .option("--no-published", "leave out the published leaderboard")
      .option("--no-verify", "believe all reports, without a look at their certificates")
      .option("--key <file.pub>", "count only signatures of this key")
      .option("--json", "the same as --format json")
      .addHelpText(
        "after",
        `
Every experiment is a row: medals as published (mean ± SEM for low, medium, high
and all), how it was run, what its authors disclose, and how far it can be
trusted. With the prepared data at hand, grades are worked out again.
Exit code 1: the record of some experiment is broken.

Examples:
  $ mlebench standings runs/a1,runs/a2,runs/a3
  $ mlebench standings my-agent.yaml other.yaml --format html --output standings.html
  $ mlebench leaderboard --format markdown`,
      )
      .action(action(run));
  },
};

async function run(places: string[], options: Options): Promise<ExitCode> {
  const trustedKey = options.key === undefined ? null : readFingerprint(options.key);
  if (options.key !== undefined && trustedKey === null)
    return refuse(`${options.key} is not a public key.`, "it is the .pub file of mlebench keys create");
  const experiments: Disclosure[] = [];
  for (const place of places) {
    const read = experimentOf(place, options);
    if (!read.ok) return refuse(read.message, read.nextStep);
    experiments.push(read.disclosure);
  }
  const { dataDir, competitions: competitionsDir } = options;
  const outcome = await standings(experiments, {
    withPublished: options.published,
    verify: options.verify ? { trustedKey, dataDir, competitionsDir, known: new Map() } : null,
    now: new Date(),
  });
  if (!outcome.ok) return refuse(outcome.message);
  const { standings: result } = outcome;
  write(result, options);
  const broken = result.rows.filter(({ trust }) => trust === "broken");
  for (const { agent, trustReason } of broken) printError("BROKEN", `${agent}: ${trustReason}`);
  return broken.length > 0 ? 1 : 0;
}

/** A disclosure is YAML or JSON; a grading report is JSON, too, but says so by its name. */
function experimentOf(place: string, options: Options) {
  const { padMissing } = options;
  if (/\.ya?ml$/.test(place) || (place.endsWith(".json") && !place.includes("grading_report")))
    return { ...readDisclosure(place), nextStep: undefined };
  const places = placesOf(place.split(","), options);
  if (places === null)
    return { ok: false as const, message: `${place} names no results.`, nextStep: undefined };
  const several = severalAgents(places);
  if (several !== null)
    return {
      ok: false as const,
      message: several,
      nextStep: `a row each: mlebench standings ${places.join(" ")}`,
    };
  const reports = places.map((part) => path.resolve(part));
  const folder = reports[0].endsWith(".json") ? path.dirname(reports[0]) : reports[0];
  const agent = readGroup(folder)?.settings.agentId ?? path.basename(folder).split("_run-group_").at(-1)!;
  return { ok: true as const, disclosure: { agent, reports, padMissing: padMissing === true } };
}

function write(result: Standings, { format, json, output }: Options): void {
  if (output !== undefined) {
    writeFileAtomically(path.resolve(output), FORMATS[json ? "json" : format](result));
    print(`written: ${output}`);
  } else if (json) printJson(result);
  else if (format === "text") printLines(standingsLines(result, paint, pageWidth()));
  else writeOut(FORMATS[format](result));
}

function refuse(message: string, nextStep = "see: mlebench standings --help"): ExitCode {
  printError("NO_STANDINGS", message, nextStep);
  return 2;
}
