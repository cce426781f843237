import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VECTORS = fileURLToPath(new URL("./vectors", import.meta.url));
/** Corners that we recorded with pandas and numpy ourselves, in the form of grade-small.json. */
const OURS = fileURLToPath(new URL("./corners.json", import.meta.url));

/** One recorded grading: `score` null with `valid` true never occurs; NaN and infinities are numbers here. */
export interface GoldenCase {
  competitionId: string;
  name: string;
  submission: string;
  answers: string;
  valid: boolean;
  score: number | null;
}

interface RecordedCase {
  case: string;
  file: string;
  valid: boolean;
  score: number | string | null;
  nan: boolean;
}

interface SmallCase {
  competition: string;
  note: string;
  answersFormat: "csv" | "jsonl";
  answers: string;
  submission: string;
  outcome: "scored" | "rejected" | "error";
  score: number | string | null;
}

/** All recorded cases by competition; the inline ones are written to a temporary folder first. */
export function goldenCases(): Map<string, GoldenCase[]> {
  const cases = new Map<string, GoldenCase[]>();
  const add = (golden: GoldenCase) => {
    const list = cases.get(golden.competitionId) ?? [];
    list.push(golden);
    cases.set(golden.competitionId, list);
  };
  const root = path.join(VECTORS, "grade");
  for (const competitionId of fs.readdirSync(root)) {
    const folder = path.join(root, competitionId);
    const answers = path.join(folder, fs.readdirSync(folder).find((file) => file.startsWith("answers."))!);
    const recorded: RecordedCase[] = JSON.parse(fs.readFileSync(path.join(folder, "cases.json"), "utf8"));
    for (const { case: name, file, valid, score, nan } of recorded) {
      add({
        competitionId,
        name,
        submission: path.join(folder, file),
        answers,
        valid,
        score: nan ? Number.NaN : number(score),
      });
    }
  }
  const small = [path.join(VECTORS, "grade-small.json"), OURS].flatMap((file): SmallCase[] =>
    JSON.parse(fs.readFileSync(file, "utf8")),
  );
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "golden-small-"));
  process.on("exit", () => fs.rmSync(temporary, { recursive: true, force: true }));
  small.forEach(({ competition, note, answersFormat, answers, submission, outcome, score }, position) => {
    const base = path.join(temporary, String(position));
    fs.writeFileSync(`${base}.answers.${answersFormat}`, answers);
    fs.writeFileSync(`${base}.csv`, submission);
    add({
      competitionId: competition,
      name: `small ${position}: ${note}`,
      submission: `${base}.csv`,
      answers: `${base}.answers.${answersFormat}`,
      valid: outcome === "scored",
      score: number(score),
    });
  });
  return cases;
}

function number(score: number | string | null): number | null {
  return score === null ? null : Number(score);
}
