import { call } from "./call.ts";
import { calls } from "./calls.ts";
import { certificate } from "./certificate.ts";
import { commands } from "./commands.ts";
import { competition } from "./competition.ts";
import { events } from "./events.ts";
import { file, files } from "./files.ts";
import { group } from "./group.ts";
import { integrity } from "./integrity.ts";
import { agent, journal, journalStep } from "./journal.ts";
import { log } from "./log.ts";
import { report } from "./report.ts";
import type { Route } from "./route.ts";
import { runs } from "./runs.ts";
import { spending } from "./spending.ts";
import { standings } from "./standings.ts";
import { submissionDiff } from "./submission-diff.ts";
import { trial } from "./trial.ts";
import { usage } from "./usage.ts";

/** Everything a page can ask for, by its name in the address. */
export const ROUTES: Readonly<Record<string, Route>> = {
  runs,
  group,
  trial,
  log,
  events,
  usage,
  calls,
  call,
  commands,
  files,
  file,
  certificate,
  journal,
  "journal-step": journalStep,
  agent,
  integrity,
  competition,
  report,
  spending,
  standings,
  "submission-diff": submissionDiff,
};
