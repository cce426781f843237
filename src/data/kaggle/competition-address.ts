import { type KaggleProblem, kaggleProblem } from "./messages.ts";

const NAME = /^[a-z0-9][a-z0-9_-]*$/i;

/** Why a name cannot be a competition's at all, so that no request is made up from it; null if it can. */
export function checkCompetitionName(name: string): KaggleProblem | null {
  if (NAME.test(name)) return null;
  return kaggleProblem("NOT_FOUND", null, `${JSON.stringify(name)} is not a competition's name on Kaggle`);
}

/** The address of everything a competition offers, in one zip. */
export function allDataPath(competition: string): string {
  return `competitions/data/download-all/${competition}`;
}

/** Where a browser shows what its download holds. */
export function dataPage(competition: string): string {
  return `https://www.kaggle.com/c/${encodeURIComponent(competition)}/data`;
}
