// full: every message of a long way, one command each
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawZip as madeZip } from "../../unit/archive/raw-zip.ts";
import { type Access, type FakeKaggle, startFakeKaggle } from "../kaggle/fake-kaggle.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { rawZip } from "./golden-raw.ts";

const MAIN = path.resolve("dist/cli/main.js");
const LEAF = "leaf-classification";

/** What a reader can act on: a page to open, a command or an option to type, or the plain words for it. */
const NEXT_STEP =
  /https:\/\/|mlebench \w|chmod 600|--[a-z]+-?[a-z]+|[Rr]un (it|the same command) again|\bdelete \S|Unset [A-Z_]+|Did you mean|It has: /;

interface Place {
  folder: string;
  home: string;
  data: string;
}

interface Situation {
  /** Changes the world and returns further arguments of `prepare -c leaf-classification`. */
  set: (place: Place, kaggle: FakeKaggle) => string[] | undefined;
  env?: Record<string, string>;
  code: string;
  exit?: number;
}

const refused = (access: Access) => (_: Place, kaggle: FakeKaggle) => {
  kaggle.competitions.get(LEAF)!.access = access;
  return undefined;
};
const archived =
  (zip: Buffer, name = "raw.zip") =>
  ({ folder }: Place) => ["--raw", writeText(folder, name, zip)];
const content = Buffer.from("x");

/** The way from no account to prepared, in the order in which the messages are met. */
const SITUATIONS: Record<string, Situation> = {
  "no account": { set: () => undefined, env: { KAGGLE_API_TOKEN: "" }, code: "NO_CREDENTIALS" },
  "a kaggle.json without a key": {
    set: ({ home }) => {
      writeText(home, ".kaggle/kaggle.json", '{"username":"me"}');
      fs.chmodSync(path.join(home, ".kaggle/kaggle.json"), 0o600);
      return undefined;
    },
    env: { KAGGLE_API_TOKEN: "" },
    code: "MALFORMED_CREDENTIALS",
  },
  "a token that others can read": {
    set: ({ home }) => {
      writeText(home, ".kaggle/access_token", "KGAT_wrong");
      fs.chmodSync(path.join(home, ".kaggle/access_token"), 0o644);
      return undefined;
    },
    env: { KAGGLE_API_TOKEN: "" },
    code: "open to other users",
  },
  "a token that Kaggle refuses": {
    set: () => undefined,
    env: { KAGGLE_API_TOKEN: "KGAT_wrong" },
    code: "BAD_CREDENTIALS",
  },
  "a phone that is not verified": { set: refused("phone"), code: "PHONE_NOT_VERIFIED" },
  "rules that are not accepted": { set: refused("rules"), code: "RULES_NOT_ACCEPTED" },
  "a refusal without a reason": { set: refused("denied"), code: "FORBIDDEN" },
  "a competition that Kaggle does not know": {
    set: (_, kaggle) => {
      kaggle.competitions.delete(LEAF);
      return undefined;
    },
    code: "NOT_FOUND",
  },
  "a pause of an hour that Kaggle asks for": {
    set: (_, kaggle) => {
      kaggle.apiFaults.push({ kind: "status", code: 429, headers: { "retry-after": "36000" } });
      return undefined;
    },
    code: "RATE_LIMITED",
  },
  "an address that is none": {
    set: () => undefined,
    env: { MLEBENCH_KAGGLE_URL: "nonsense" },
    code: "BAD_ADDRESS",
  },
  "raw data that are not there": {
    set: ({ folder }) => ["--raw", path.join(folder, "nowhere")],
    code: "NO_RAW_DATA",
  },
  "a folder of something else": {
    set: ({ folder }) => ["--raw", path.dirname(writeText(folder, "other/notes.txt", "x"))],
    code: "RAW_",
  },
  "a file that is not an archive": {
    set: archived(Buffer.from("plain text"), "notes.txt"),
    code: "NO_RAW_DATA",
  },
  "the zip of another competition": {
    set: archived(fs.readFileSync(rawZip("spooky-author-identification"))),
    code: "RAW_",
  },
  "an archive that leads out of its folder": {
    set: archived(madeZip([{ name: "../../escaped.txt", content }])),
    code: "UNSAFE_PATH",
  },
  "an archive that is cut short": {
    set: archived(madeZip([{ name: "a", content: Buffer.alloc(5000, 7) }]).subarray(0, 60)),
    code: "TRUNCATED",
  },
  "a result that is not the original's": { set: () => ["--raw", rawZip(LEAF)], code: "CHECKSUMS_DIFFER" },
  "a setting that is none": { set: () => ["--raw", rawZip(LEAF), "--set", "nope=1"], code: "BAD_SETTING" },
  "a version that is none": {
    set: () => ["--raw", rawZip(LEAF), "--competition-version", "v2"],
    code: "NO_SUCH_VERSION",
  },
  "a data folder that cannot be": { set: () => ["--data-dir", "/proc/nope"], code: "HOST_FAILED" },
  "a name that is none": { set: () => ["-c", "leaf-clasification"], code: "UNKNOWN_COMPETITION", exit: 2 },
};

describe("every message on the way from no account to prepared names the next step", () => {
  let kaggle: FakeKaggle;
  beforeAll(async () => {
    kaggle = await startFakeKaggle("Bearer KGAT_right");
  });
  afterAll(() => kaggle.close());

  it.each(Object.entries(SITUATIONS))("%s", async (_, { set, env, code, exit = 3 }) => {
    const folder = temporaryFolder();
    const place = { folder, home: path.join(folder, "home"), data: path.join(folder, "data") };
    kaggle.apiFaults.length = 0;
    kaggle.competitions.set(LEAF, { access: "open", file: { bytes: fs.readFileSync(rawZip(LEAF)) } });
    const more = set(place, kaggle) ?? [];
    const said = await prepare(place, more, { MLEBENCH_KAGGLE_URL: kaggle.address, ...env });
    expect(said.exit).toBe(exit);
    expect(said.stderr).toContain(code);
    const from = said.stderr.slice(said.stderr.indexOf(code));
    expect(from).toMatch(NEXT_STEP);
    expect(said.stderr).not.toMatch(/\n\s+at |KGAT_/);
  });
});

async function prepare({ home, data }: Place, args: string[], env: Record<string, string>) {
  const named = args.includes("-c") ? [] : ["-c", LEAF];
  const child = spawn(process.execPath, [MAIN, "prepare", ...named, "--data-dir", data, ...args], {
    env: { PATH: process.env.PATH, HOME: home, KAGGLE_API_TOKEN: "KGAT_right", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [exit] = await once(child, "close");
  return { exit, stderr };
}
