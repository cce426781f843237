import { writeFileAtomically } from "../../files/write-file.ts";
import type { KaggleClient } from "../kaggle/client.ts";
import { downloadCompetition } from "../kaggle/download.ts";
import type { KaggleProblem } from "../kaggle/messages.ts";
import type { RawDataOptions } from "./raw-data.ts";

export type FetchedRaw = { status: "fetched"; warning: string | null } | KaggleProblem;

/**
 * Downloads the zip of a competition into its data folder. A zip that is not the original's is used all the same:
 * Kaggle packs archives anew, and what is prepared from it is compared file by file.
 */
export async function fetchRaw({
  id,
  paths,
  client,
  originalZip,
  signal,
  onProgress,
  onNote,
}: RawDataOptions & { client: KaggleClient }): Promise<FetchedRaw> {
  // Before the first byte: an interrupted download is ours to remove, too.
  writeFileAtomically(
    paths.rawNote,
    `${JSON.stringify({ schema: "mlebench/raw", version: 1, source: "kaggle", competition: id })}\n`,
  );
  const outcome = await downloadCompetition(
    client,
    { id, target: paths.zip, expectedMd5: originalZip },
    {
      signal,
      onProgress: ({ phase, doneBytes, totalBytes }) =>
        onProgress({
          stage: phase === "download" ? "download" : "check download",
          what: "",
          done: doneBytes,
          total: totalBytes,
          unit: "bytes",
        }),
      onRetry: ({ problem, waitMs, attempt, attempts }) =>
        onNote(
          `${problem.message.replace(`${id}: `, "")} Trying again in ${Math.ceil(waitMs / 1000)} s (${attempt} of ${attempts}).`,
        ),
    },
  );
  if (outcome.status === "downloaded") return { status: "fetched", warning: null };
  if (outcome.code !== "ARCHIVE_DIFFERS") return outcome;
  return {
    status: "fetched",
    warning:
      "The download is not the very zip that the original was made from; the prepared files tell whether that matters.",
  };
}
