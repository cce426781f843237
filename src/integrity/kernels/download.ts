import path from "node:path";
import { isProblem } from "../../data/kaggle/backoff.ts";
import type { KaggleClient } from "../../data/kaggle/client.ts";
import type { KaggleProblem } from "../../data/kaggle/messages.ts";
import { downloadTopNotebooks } from "../../data/kaggle/notebooks.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { type ImportedKernels, importKernels } from "./import.ts";
import { kernelsFolder } from "./place.ts";

export type KernelDownload =
  | (ImportedKernels & { status: "downloaded"; failed: KaggleProblem[] })
  | { status: "refused"; competitionId: string; problem: KaggleProblem };

/** The notebooks with the most votes, at most fifty as in the original; one that may not be had stops none of the others. */
export async function downloadKernels(
  client: KaggleClient,
  { id, dataDir, count }: { id: string; dataDir: string; count: number },
  signal: AbortSignal,
): Promise<KernelDownload> {
  const got = await downloadTopNotebooks(client, { id, dataDir, count }, signal);
  if (isProblem(got)) return { status: "refused", competitionId: id, problem: got };
  const references = got.notebooks.map(({ ref }) => `${ref}\n`).join("");
  writeFileAtomically(path.join(kernelsFolder(dataDir, id), "kernels.txt"), references);
  const [imported] = importKernels({ from: got.folder, dataDir, ids: [], competitionId: id });
  return { status: "downloaded", ...imported, failed: got.failed };
}
