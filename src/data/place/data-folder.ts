import fs from "node:fs";
import path from "node:path";
import type { CompetitionFiles, CompetitionVersion } from "../../competitions/competition.ts";
import { homeFolder } from "../../files/home-folder.ts";

export const DATA_FOLDER_VARIABLE = "MLEBENCH_DATA_DIR";

/** Where prepared data lives: the given folder, the environment's, or the user's cache, as the original has it. */
export function dataFolder(given?: string): string {
  return path.resolve(
    given ?? process.env[DATA_FOLDER_VARIABLE] ?? path.join(userCacheFolder(), "mle-bench", "data"),
  );
}

/** Where programs of this system keep what they can make again. */
export function userCacheFolder(): string {
  const home = homeFolder();
  if (process.platform === "darwin") return path.join(home, "Library", "Caches");
  if (process.platform === "win32") return process.env.LOCALAPPDATA ?? path.join(home, "AppData", "Local");
  return process.env.XDG_CACHE_HOME || path.join(home, ".cache");
}

/** The folder with the prepared data of a version, relative to `<data>/<id>`. */
export function preparedFolder(version: CompetitionVersion): string {
  return version === "v1" ? "prepared" : "prepared-v2";
}

/**
 * A competition's file in the data folder. The competition's facts name it relative to `<data>/<id>` and as of v1;
 * what is prepared lies elsewhere for v2.
 */
export function competitionFile(
  dataDir: string,
  id: string,
  file: string,
  version: CompetitionVersion = "v1",
): string {
  return path.join(dataDir, id, file.replace(/^prepared(?=\/|$)/, preparedFolder(version)));
}

type Located = { id: string; files: CompetitionFiles };

/** For grading, prepared means that the answers are there, nothing more: data prepared by the original counts. */
export function canGrade(
  dataDir: string,
  { id, files }: Located,
  version: CompetitionVersion = "v1",
): boolean {
  return fs.existsSync(competitionFile(dataDir, id, files.answers, version));
}

/** For running: also a non-empty public folder, and the sample submission where the competition has one. */
export function canRun(dataDir: string, competition: Located, version: CompetitionVersion = "v1"): boolean {
  const { id, files } = competition;
  const publicFolder = competitionFile(dataDir, id, "prepared/public", version);
  return (
    canGrade(dataDir, competition, version) &&
    fs.existsSync(publicFolder) &&
    fs.readdirSync(publicFolder).length > 0 &&
    fs.existsSync(competitionFile(dataDir, id, files.sampleSubmission, version))
  );
}
