import fs from "node:fs";
import path from "node:path";
import { writeFileAtomically } from "../../files/write-file.ts";
import { readLeaderboardCsv } from "../../leaderboards/read-leaderboard.ts";

const LARGEST = 64 * 2 ** 20;

/** What may be taken over from a checkout: the name there, and the name in `<data>/<id>`. */
const TEXTS = [
  { kind: "description", from: "description.md", to: "description.md" },
  { kind: "leaderboard", from: "leaderboard.csv", to: "leaderboard.csv" },
  { kind: "notebooks", from: "kernels.txt", to: "notebooks.txt" },
] as const;

type ImportedKind = (typeof TEXTS)[number]["kind"];

export interface ImportedCompetition {
  competitionId: string;
  imported: ImportedKind[];
  /** Already there with other content; `force` replaces them. */
  kept: ImportedKind[];
  missing: ImportedKind[];
  /** There, but nothing we could use, with the reason. */
  refused: { kind: ImportedKind; reason: string }[];
}

export type ImportOutcome =
  | { status: "imported"; competitions: ImportedCompetition[]; unknown: string[] }
  | { status: "no-checkout"; message: string; nextStep: string };

/**
 * Copies descriptions, leaderboards and notebook lists out of the user's own checkout of the original. The texts stay
 * on the user's machine: the package ships none of them. Anything unexpected in the checkout is listed, not followed.
 */
export function importOriginal(options: {
  checkout: string;
  dataDir: string;
  ids: readonly string[];
  force: boolean;
}): ImportOutcome {
  const root = competitionsFolder(options.checkout);
  if (root === null) {
    return {
      status: "no-checkout",
      message: `${options.checkout} is not a checkout of the original: it has no folder mlebench/competitions.`,
      nextStep:
        "Name the folder that git clone made (with git lfs pull, or its leaderboards are only pointers).",
    };
  }
  const known = new Set(options.ids);
  const there = fs.readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const unknown = there
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && holdsText(path.join(root, name)));
  const competitions = options.ids.map((id) => importCompetition(path.join(root, id), id, options));
  return { status: "imported", competitions, unknown };
}

function competitionsFolder(checkout: string): string | null {
  const places = [["mlebench", "competitions"], ["competitions"], []].map((parts) =>
    path.join(checkout, ...parts),
  );
  return places.find((place) => path.basename(place) === "competitions" && isFolder(place)) ?? null;
}

function importCompetition(
  folder: string,
  competitionId: string,
  { dataDir, force }: { dataDir: string; force: boolean },
): ImportedCompetition {
  const result: ImportedCompetition = { competitionId, imported: [], kept: [], missing: [], refused: [] };
  for (const { kind, from, to } of TEXTS) {
    const read = readText(path.join(folder, from));
    if (read === null) {
      result.missing.push(kind);
      continue;
    }
    const reason = "reason" in read ? read.reason : unusable(kind, read.text);
    if (reason !== null || "reason" in read) {
      result.refused.push({ kind, reason: reason ?? "" });
      continue;
    }
    const target = path.join(dataDir, competitionId, to);
    const before = fs.existsSync(target) ? fs.readFileSync(target, "utf8") : null;
    if (before !== null && before !== read.text && !force) result.kept.push(kind);
    else {
      if (before !== read.text) writeFileAtomically(target, read.text);
      result.imported.push(kind);
    }
  }
  return result;
}

/** A file as text; null when there is none. Links are not followed: they could lead anywhere. */
function readText(file: string): { text: string } | { reason: string } | null {
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) return { reason: "it is not a regular file" };
  if (found.size > LARGEST) return { reason: `it is larger than ${LARGEST} bytes` };
  const text = fs.readFileSync(file, "utf8");
  if (text.startsWith("version https://git-lfs"))
    return { reason: "it is a git-lfs pointer: run git lfs pull in the checkout" };
  return { text };
}

function unusable(kind: ImportedKind, text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (text.includes("\0")) return "it is not text";
  if (kind !== "leaderboard") return null;
  const board = readLeaderboardCsv(text);
  return board.status === "invalid" ? board.reason : null;
}

function holdsText(folder: string): boolean {
  return TEXTS.some(({ from }) => fs.existsSync(path.join(folder, from)));
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
