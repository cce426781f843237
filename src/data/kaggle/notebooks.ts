import path from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../files/write-file.ts";
import { isProblem } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { checkCompetitionName } from "./competition-address.ts";
import { diskProblem } from "./disk.ts";
import { type KaggleProblem, kaggleProblem, plainText } from "./messages.ts";
import { requestJson } from "./request-json.ts";

const Listed = z.array(
  z.object({ ref: z.string(), title: z.string().nullish(), totalVotes: z.number().nullish() }),
);
const Pulled = z.object({
  blob: z.object({ source: z.string(), language: z.string().nullish(), kernelType: z.string().nullish() }),
});

/** `ref` is `<owner>/<name>`, as in the notebook's address. */
type NotebookEntry = { ref: string; title: string; votes: number | null };
type NotebookList = { status: "listed"; notebooks: NotebookEntry[] };
export type NotebookDownload = {
  status: "downloaded";
  folder: string;
  /** Most votes first. */
  notebooks: (NotebookEntry & { file: string })[];
  /** Notebooks that could not be had; they stop none of the others. */
  failed: KaggleProblem[];
};

const REF = /^[a-z0-9][a-z0-9_-]*\/[a-z0-9][a-z0-9_-]*$/i;
const largestPage = 100;
const extensions: Record<string, string> = {
  python: "py",
  r: "r",
  rmarkdown: "Rmd",
  julia: "jl",
  sqlite: "sql",
};

/** The public notebooks of a competition with the most votes, at most a hundred. Refs that are none are left out. */
export async function listTopNotebooks(
  client: KaggleClient,
  competition: string,
  count: number,
  signal: AbortSignal | null = null,
): Promise<NotebookList | KaggleProblem> {
  const badName = checkCompetitionName(competition);
  if (badName !== null) return badName;
  const pageSize = String(Math.min(largestPage, count));
  const query = new URLSearchParams({ competition, sortBy: "voteCount", page: "1", pageSize });
  const listed = await requestJson(client, { path: `kernels/list?${query}`, competition }, Listed, signal);
  if (isProblem(listed)) return listed;
  const notebooks = listed.value
    .filter(({ ref }) => REF.test(ref))
    .slice(0, count)
    .map(({ ref, title, totalVotes }) => ({
      ref,
      title: plainText(title ?? ref),
      votes: totalVotes ?? null,
    }));
  return { status: "listed", notebooks };
}

/** Puts the top notebooks into `<dataDir>/<id>/notebooks/`, with `notebooks.json` saying what each file is. */
export async function downloadTopNotebooks(
  client: KaggleClient,
  { id, dataDir, count }: { id: string; dataDir: string; count: number },
  signal: AbortSignal | null = null,
): Promise<NotebookDownload | KaggleProblem> {
  const list = await listTopNotebooks(client, id, count, signal);
  if (isProblem(list)) return list;
  const folder = path.join(dataDir, id, "notebooks");
  const notebooks: NotebookDownload["notebooks"] = [];
  const failed: KaggleProblem[] = [];
  try {
    for (const entry of list.notebooks) {
      const pulled = await pull(client, id, entry.ref, signal);
      if (isProblem(pulled)) {
        if (pulled.code === "INTERRUPTED" || pulled.code === "BAD_CREDENTIALS") return pulled;
        failed.push(pulled);
        continue;
      }
      writeFileAtomically(path.join(folder, pulled.file), pulled.source);
      notebooks.push({ ...entry, file: pulled.file });
    }
    const index = { schema: "mlebench/notebooks", version: 1, competition: id, notebooks };
    writeFileAtomically(path.join(folder, "notebooks.json"), `${JSON.stringify(index, null, 2)}\n`);
  } catch (error) {
    return diskProblem(error, id, folder);
  }
  return { status: "downloaded", folder, notebooks, failed };
}

async function pull(
  client: KaggleClient,
  competition: string,
  ref: string,
  signal: AbortSignal | null,
): Promise<{ status: "pulled"; file: string; source: string } | KaggleProblem> {
  const [userName, kernelSlug] = ref.split("/");
  const query = new URLSearchParams({ userName, kernelSlug });
  const pulled = await requestJson(client, { path: `kernels/pull?${query}`, competition }, Pulled, signal);
  if (isProblem(pulled)) {
    const general = ["INTERRUPTED", "BAD_CREDENTIALS"].includes(pulled.code);
    return general
      ? pulled
      : kaggleProblem("BAD_NOTEBOOK", competition, `${ref} was not had (${pulled.code})`);
  }
  const { source, language, kernelType } = pulled.value.blob;
  const isNotebook = (kernelType ?? "").toLowerCase() === "notebook";
  const extension = isNotebook ? "ipynb" : (extensions[(language ?? "").toLowerCase()] ?? "txt");
  return { status: "pulled", file: `${userName}__${kernelSlug}.${extension}`, source };
}
