import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { makeFolder } from "../../files/make-folder.ts";
import { readPlainText } from "../../files/plain-file.ts";
import type { Problem } from "../../wording/problem.ts";
import { readFingerprint } from "../certificate/signing.ts";
import { planDigest } from "./plan-digest.ts";
import type { RunGroup } from "./schema.ts";

/**
 * What is published before the first trial: that this plan exists, not what comes of it. Whoever later shows another
 * group, or one of many, can be asked for the announcement of each.
 */
const Announcement = z.object({
  schema: z.literal("mlebench/announcement"),
  version: z.literal(1),
  runGroup: z.string(),
  createdAt: z.string(),
  agentId: z.string(),
  trials: z.int(),
  /** The digest of the plan. */
  plan: z.string(),
  /** The fingerprint of the key that will sign; null when nothing is signed. */
  key: z.string().nullable(),
});
type Announcement = z.infer<typeof Announcement>;

const TIMEOUT_MS = 20_000;

function announcementOf(group: RunGroup): Announcement {
  const { signingKey, agentId } = group.settings;
  return {
    schema: "mlebench/announcement",
    version: 1,
    runGroup: group.name,
    createdAt: group.createdAt,
    agentId,
    trials: group.trials.length,
    plan: planDigest(group),
    key: signingKey === null ? null : readFingerprint(signingKey),
  };
}

/** Adds a line to a file, or posts it to an address. Null when it is published; nothing may start otherwise. */
export async function announcePlan(target: string, group: RunGroup): Promise<Problem | null> {
  const text = `${JSON.stringify(announcementOf(group))}\n`;
  try {
    if (/^https?:\/\//i.test(target)) await post(target, text);
    else {
      makeFolder(path.dirname(path.resolve(target)));
      fs.appendFileSync(target, text, { flush: true });
    }
    return null;
  } catch (error) {
    const cause = (error as Error).cause;
    const why = cause instanceof Error ? cause.message : (error as Error).message;
    return {
      code: "NOT_ANNOUNCED",
      message: `The plan could not be announced to ${target}: ${why}. No trial was started.`,
      nextStep: `mend that and start again, or go on unannounced: mlebench resume ${group.name}`,
    };
  }
}

async function post(target: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(target, { method: "POST", headers, body, signal, redirect: "error" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
}

/** Whether the plan of a group is among the announcements of a file. */
export function isAnnounced(file: string, group: RunGroup): boolean {
  let text: string;
  try {
    text = readPlainText(file);
  } catch {
    return false;
  }
  const plan = planDigest(group);
  return text.split("\n").some((line) => {
    try {
      return Announcement.parse(JSON.parse(line)).plan === plan;
    } catch {
      return false;
    }
  });
}
