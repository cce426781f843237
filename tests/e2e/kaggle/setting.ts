import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach } from "vitest";
import {
  type ClientOptions,
  createKaggleClient,
  type KaggleClient,
} from "../../../src/data/kaggle/client.ts";
import { authorization, type Credentials } from "../../../src/data/kaggle/credentials.ts";
import { type FakeKaggle, startFakeKaggle } from "./fake-kaggle.ts";

export type Setting = {
  kaggle: FakeKaggle;
  client: KaggleClient;
  folder: string;
  /** The pauses the client took, none of which was really waited for. */
  waits: number[];
};

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

export const token: Credentials = { kind: "token", token: "KGAT_right", source: "KAGGLE_API_TOKEN" };
export const bundle = randomBytes(300_000);

/** A fake Kaggle that knows these credentials, a client of it that has them, and an empty folder. */
export async function setUp(
  options: Omit<ClientOptions, "address"> = {},
  credentials: Credentials = token,
): Promise<Setting> {
  const kaggle = await startFakeKaggle(authorization(credentials));
  const folder = emptyFolder();
  undo.push(kaggle.close);
  const waits: number[] = [];
  const pace = { sleep: async (ms: number) => void waits.push(ms), random: () => 1, ...options.pace };
  return { kaggle, client: clientOf(kaggle, credentials, { ...options, pace }), folder, waits };
}

export function clientOf(
  kaggle: FakeKaggle,
  credentials: Credentials,
  options: Omit<ClientOptions, "address"> = {},
): KaggleClient {
  const client = createKaggleClient(credentials, { ...options, address: kaggle.address });
  if (client.status === "failed") throw new Error(client.message);
  return client;
}

export function emptyFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-kaggle-"));
  undo.push(async () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
