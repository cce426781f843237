import { z } from "zod";
import { isProblem, withRetries } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { allDataPath, checkCompetitionName } from "./competition-address.ts";
import { exchange } from "./exchange.ts";
import type { KaggleProblem } from "./messages.ts";
import { requestJson } from "./request-json.ts";

const Page = z.object({
  files: z.array(z.object({ name: z.string(), totalBytes: z.coerce.number().nullish() })),
  nextPageToken: z.string().nullish(),
});

export type CompetitionFileList = {
  status: "listed";
  /** `bytes` is null where Kaggle does not tell. */
  files: { name: string; bytes: number | null }[];
  /** False when there are more files than were asked for. */
  complete: boolean;
};

/**
 * The files of a competition, up to about `atMost`: some have millions. Kaggle lists them also to those who have not
 * accepted the rules, so a list proves nothing about access.
 */
export async function listCompetitionFiles(
  client: KaggleClient,
  competition: string,
  { atMost = 2000, signal = null }: { atMost?: number; signal?: AbortSignal | null } = {},
): Promise<CompetitionFileList | KaggleProblem> {
  const badName = checkCompetitionName(competition);
  if (badName !== null) return badName;
  const files: CompetitionFileList["files"] = [];
  let pageToken = "";
  do {
    const query = new URLSearchParams({ pageSize: "200", ...(pageToken === "" ? {} : { pageToken }) });
    const path = `competitions/data/list/${competition}?${query}`;
    const page = await requestJson(client, { path, competition }, Page, signal);
    if (isProblem(page)) return page;
    for (const { name, totalBytes } of page.value.files) files.push({ name, bytes: totalBytes ?? null });
    const next = page.value.nextPageToken ?? "";
    if (next === pageToken) break;
    pageToken = next;
  } while (pageToken !== "" && files.length < atMost);
  return { status: "listed", files, complete: pageToken === "" };
}

/**
 * Whether this account may download a competition, for the price of one short request: the download is asked for and
 * left at its redirect. Not accepted is the problem RULES_NOT_ACCEPTED, with the page to open.
 */
export async function rulesAccepted(
  client: KaggleClient,
  competition: string,
  signal: AbortSignal | null = null,
): Promise<{ status: "accepted" } | KaggleProblem> {
  const badName = checkCompetitionName(competition);
  if (badName !== null) return badName;
  const probe = { path: allDataPath(competition), competition, follow: false, signal };
  const attempt = async (): Promise<{ status: "accepted" } | KaggleProblem> => {
    const answer = await exchange(client, { ...probe, headers: { range: "bytes=0-0" } });
    if (isProblem(answer)) return answer;
    answer.discard();
    return { status: "accepted" };
  };
  const pace = { ...client.pace, attempts: Math.min(2, client.pace.attempts) };
  return withRetries(attempt, { pace, signal, onRetry: null });
}
