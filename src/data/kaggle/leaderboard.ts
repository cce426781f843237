import fs from "node:fs";
import path from "node:path";
import { archiveKind } from "../../archive/archive-kind.ts";
import { listZip, readZipEntry } from "../../archive/zip-reader.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { readLeaderboardCsv } from "../../leaderboards/read-leaderboard.ts";
import { isProblem } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { checkCompetitionName } from "./competition-address.ts";
import { diskProblem } from "./disk.ts";
import { type DownloadOptions, downloadFile } from "./download-file.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";

export type LeaderboardDownload = {
  status: "downloaded";
  file: string;
  teams: number;
  teamsWithoutScore: number;
  /** Which board Kaggle handed out, as far as the file's name tells. Medals belong to the private one. */
  board: "private" | "public" | "unknown";
};

type Csv = { status: "csv"; name: string; text: string };

const largestCsv = 64 * 1024 * 1024;

/**
 * The full human leaderboard as `<dataDir>/<id>/leaderboard.csv`. A board that is there is replaced, but only by one
 * that grading can read; whether to replace it at all is the caller's decision.
 */
export async function downloadLeaderboard(
  client: KaggleClient,
  { id, dataDir }: { id: string; dataDir: string },
  options: DownloadOptions = {},
): Promise<LeaderboardDownload | KaggleProblem> {
  const badName = checkCompetitionName(id);
  if (badName !== null) return badName;
  const folder = path.join(dataDir, id);
  const archive = path.join(folder, "leaderboard.download");
  const got = await downloadFile(
    client,
    { path: `competitions/${id}/leaderboard/download`, competition: id, target: archive },
    options,
  );
  if (isProblem(got)) return got;
  try {
    const csv = readCsv(id, archive);
    if (isProblem(csv)) return csv;
    const board = readLeaderboardCsv(csv.text);
    if (board.status === "invalid") {
      return kaggleProblem(
        "BAD_LEADERBOARD",
        id,
        `the leaderboard Kaggle sent cannot be used: ${board.reason}`,
      );
    }
    const file = path.join(folder, "leaderboard.csv");
    writeFileAtomically(file, csv.text);
    const { scores, teamsWithoutScore } = board;
    return { status: "downloaded", file, teams: scores.length, teamsWithoutScore, board: boardOf(csv.name) };
  } catch (error) {
    return diskProblem(error, id, folder);
  } finally {
    fs.rmSync(archive, { force: true });
  }
}

/** The CSV out of the zip; of several, the private board. An answer that is not an archive is taken for the CSV itself. */
function readCsv(id: string, archive: string): Csv | KaggleProblem {
  const kind = archiveKind(archive);
  if (kind === null) return { status: "csv", name: "", text: fs.readFileSync(archive, "utf8") };
  const bad = (cause: string) => kaggleProblem("BAD_LEADERBOARD", id, cause);
  if (kind !== "zip") return bad(`the leaderboard came as ${kind}, not as a zip`);
  const listing = listZip(archive, 1000);
  if (listing.status === "refused") return bad(`the leaderboard's zip was refused (${listing.code})`);
  const names = listing.entries
    .filter((entry) => !entry.folder && /\.csv$/i.test(entry.path))
    .map((entry) => entry.path);
  const name = names.find((candidate) => boardOf(candidate) === "private") ?? names[0];
  if (name === undefined) return bad("the leaderboard's zip holds no CSV");
  const content = readZipEntry(archive, name, largestCsv);
  if (content.status === "refused") return bad(`the leaderboard's zip was refused (${content.code})`);
  return { status: "csv", name, text: content.bytes.toString("utf8") };
}

function boardOf(name: string): LeaderboardDownload["board"] {
  if (/private/i.test(name)) return "private";
  return /public/i.test(name) ? "public" : "unknown";
}
