import fs from "node:fs";
import path from "node:path";
import type { Competition } from "../../competitions/competition.ts";
import { competitionFile } from "../../data/place/data-folder.ts";
import { readEvents, type TrialEvent } from "../../trials/trial/events.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";
import type { Trial } from "../../trials/trial/schema.ts";
import { filesBelow, firstOf, MAX_CODE, readCode, type Unseen } from "./code-names.ts";
import { type CodeFile, isCode, viewCode } from "./code-view.ts";
import { viewData, viewSideTables } from "./data-files.ts";
import { inlinePrograms } from "./inline-programs.ts";
import { type LogCommand, type Logged, readLogged } from "./log-commands.ts";
import { readTexts, type Texts } from "./table.ts";

/** One trial as rules see it. Tables are read when a rule first asks for them. */
export interface RuleView {
  trial: string;
  competition: Competition | null;
  competitionId: string;
  /** Null in groups of the original. */
  record: Trial | null;
  /** Its programs, those inside of shell commands and tool calls among them. */
  code: CodeFile[];
  /** Tables, lists and texts that somebody wrote by hand for these programs, as their literals. */
  data: CodeFile[];
  /** Names of all files it left as code, parsed or not. */
  codeNames: string[];
  /** What could be code and was not looked at, or not wholly. */
  unseen: Unseen[];
  commands: LogCommand[];
  events(): TrialEvent[];
  submission(): Texts | null;
  sample(): Texts | null;
  /** A table of the public folder, by name. */
  publicTable(name: string): Texts | null;
}

const MAX_BYTES = 2_000_000;

export async function viewTrial(options: {
  trial: string;
  folder: string;
  competitionId: string;
  competition: Competition | null;
  dataDir: string;
}): Promise<RuleView> {
  const { folder, competition, competitionId, dataDir, trial } = options;
  const paths = trialPaths(folder);
  const record = readTrial(folder);
  const version = record?.competition.version ?? "v1";
  // A search keeps its programs with its log: what stands there was run as well.
  const [own, kept] = [filesBelow(folder, "code"), filesBelow(folder, "logs")];
  const names = [...own.names, ...kept.names.filter(isCode)];
  const unseen = [...own.unseen, ...kept.unseen];
  const code: CodeFile[] = [];
  for (const name of firstOf(names.filter(isCode), unseen)) {
    const text = readCode(folder, name, unseen);
    const seen = text === null ? null : await viewCode(name, text);
    if (seen !== null) code.push(seen);
    else if (text !== null) unseen.push({ file: name, why: "it cannot be parsed" });
  }
  const logged = readLogged(folder, kept.names);
  unseen.push(...logged.unseen);
  const inside = await viewInside(code, logged, unseen);
  code.push(...inside.code);
  const read = (name: string) => readSmall(path.join(folder, name));
  const place = (file: string) => competitionFile(dataDir, competitionId, file, version);
  return {
    trial,
    competition,
    competitionId,
    record,
    code,
    data: [...inside.data, ...viewSideTables(names, code, logged.commands, read)],
    codeNames: names,
    unseen,
    commands: logged.commands,
    events: once(() => readEvents(paths.events).events),
    submission: once(() => readTexts(path.join(paths.submission, "submission.csv"))),
    sample: once(() => (competition === null ? null : readTexts(place(competition.files.sampleSubmission)))),
    publicTable: (name) => readTexts(place(`prepared/public/${name}`)),
  };
}

/** What stands inside of shells' lines, and what tools were told to write. */
async function viewInside(
  files: readonly CodeFile[],
  { commands, written }: Logged,
  unseen: Unseen[],
): Promise<{ code: CodeFile[]; data: CodeFile[] }> {
  const shells = [
    ...files.flatMap(({ name, shell, script }) => [
      { file: name, line: 1, value: script },
      ...(script === "" ? shell.map(({ line, value }) => ({ file: name, line, value })) : []),
    ]),
    ...commands,
  ];
  const inline = shells.flatMap(({ file, line, value }) =>
    inlinePrograms(value).map(({ name, text, above }) => ({ file, line: line + above - 1, name, text })),
  );
  const [code, data]: [CodeFile[], CodeFile[]] = [[], []];
  // What was written as a file comes first: lines of shell are soon many.
  const all = [...written.map((one) => ({ ...one, line: one.line - 1 })), ...inline];
  const beyond = all.length - MAX_CODE;
  if (beyond > 0)
    unseen.push({
      file: all[MAX_CODE].file,
      why: `${beyond} programs inside of commands are beyond the first ${MAX_CODE}`,
    });
  for (const { file, line, name, text } of all.slice(0, MAX_CODE)) {
    if (text.length > MAX_BYTES) {
      unseen.push({ file, why: `${name}, which was written there, is longer than ${MAX_BYTES} characters` });
      continue;
    }
    const seen = isCode(name) ? await viewCode(name, text) : null;
    if (seen !== null) code.push(shifted(seen, file, line));
    else {
      const table = viewData(file, text);
      if (table !== null) data.push(shifted(table, file, line));
    }
  }
  return { code, data };
}

/** The same at another place: line 1 of it is the one below `above`. */
function shifted(seen: CodeFile, file: string, above: number): CodeFile {
  const move = <T extends { line: number }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, line: one.line + above }));
  return {
    ...seen,
    name: file,
    calls: move(seen.calls),
    imports: move(seen.imports),
    strings: move(seen.strings),
    literals: move(seen.literals),
    labels: move(seen.labels),
    numbers: move(seen.numbers),
    shell: move(seen.shell),
  };
}

function readSmall(file: string): string | null {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= MAX_BYTES ? fs.readFileSync(file, "utf8") : null;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
