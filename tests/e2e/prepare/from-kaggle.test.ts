import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeKaggle, startFakeKaggle } from "../kaggle/fake-kaggle.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { rawZip, recordedTree, treeOf } from "./golden-raw.ts";

const MAIN = path.resolve("dist/cli/main.js");
const LEAF = "leaf-classification";
const SPOOKY = "spooky-author-identification";
const servers: FakeKaggle[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function kaggle(): Promise<FakeKaggle> {
  const server = await startFakeKaggle("Bearer KGAT_right");
  servers.push(server);
  for (const id of [LEAF, SPOOKY])
    server.competitions.set(id, {
      access: "open",
      file: { bytes: fs.readFileSync(rawZip(id)), etag: '"1"' },
    });
  return server;
}

/** Not `spawnSync`: the fake Kaggle answers from this very process. */
async function mlebench(server: FakeKaggle, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: temporaryFolder(),
      KAGGLE_API_TOKEN: "KGAT_right",
      MLEBENCH_KAGGLE_URL: server.address,
      ...env,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

const prepareBoth = (data: string) => [
  "prepare",
  "-c",
  LEAF,
  SPOOKY,
  "--data-dir",
  data,
  "--skip-verification",
];

describe("prepare from Kaggle", () => {
  it("downloads, extracts and prepares, and removes what it fetched", async () => {
    const data = temporaryFolder();
    const { code } = await mlebench(await kaggle(), prepareBoth(data));
    expect(code).toBe(0);
    expect(treeOf(path.join(data, LEAF, "prepared"))).toMatchObject(recordedTree(LEAF));
    expect(fs.readdirSync(path.join(data, LEAF)).sort()).toEqual(["prepare.json", "prepared"]);
  });

  it("keeps what it fetched with --keep-raw, and then needs Kaggle no more", async () => {
    const data = temporaryFolder();
    const server = await kaggle();
    await mlebench(server, ["prepare", "-c", LEAF, "--data-dir", data, "--skip-verification", "--keep-raw"]);
    expect(fs.readdirSync(path.join(data, LEAF)).sort()).toEqual([
      `${LEAF}.zip`,
      "prepare.json",
      "prepared",
      "raw",
      "raw.json",
    ]);
    fs.rmSync(path.join(data, LEAF, "prepared"), { recursive: true });
    const asked = server.apiRequests.length;
    await mlebench(server, ["prepare", "-c", LEAF, "--data-dir", data, "--skip-verification", "--keep-raw"]);
    expect(server.apiRequests).toHaveLength(asked);
    expect(fs.existsSync(path.join(data, LEAF, "prepared/public/train.csv"))).toBe(true);
  });

  it("never removes raw data that the user has put there", async () => {
    const data = temporaryFolder();
    const zip = path.join(data, LEAF, `${LEAF}.zip`);
    writeText(data, `${LEAF}/${LEAF}.zip`, fs.readFileSync(rawZip(LEAF)));
    const server = await kaggle();
    expect(
      (await mlebench(server, ["prepare", "-c", LEAF, "--data-dir", data, "--skip-verification"])).code,
    ).toBe(0);
    expect(server.apiRequests).toHaveLength(0);
    expect(fs.existsSync(zip)).toBe(true);
  });

  it("names the page where rules are accepted, and prepares the others all the same", async () => {
    const server = await kaggle();
    server.competitions.get(LEAF)!.access = "rules";
    const data = temporaryFolder();
    const { code, stderr, stdout } = await mlebench(server, prepareBoth(data));
    expect(code).toBe(1);
    expect(stderr).toContain(`https://www.kaggle.com/c/${LEAF}/rules`);
    expect(stdout).toMatch(/leaf-classification +RULES_NOT_ACCEPTED/);
    expect(stdout).toMatch(/spooky-author-identification +ready/);
  });

  it.each([
    ["phone", "PHONE_NOT_VERIFIED", "https://www.kaggle.com/settings"],
    ["denied", "FORBIDDEN", `https://www.kaggle.com/c/${LEAF}/rules`],
  ] as const)("an account that is refused (%s) is told what to do", async (access, code, page) => {
    const server = await kaggle();
    server.competitions.get(LEAF)!.access = access;
    const run = await mlebench(server, ["prepare", "-c", LEAF, "--data-dir", temporaryFolder()]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(code);
    expect(run.stderr).toContain(page);
  });

  it("without credentials, or with wrong ones, says how to get them", async () => {
    const server = await kaggle();
    const args = ["prepare", "-c", LEAF, "--data-dir", temporaryFolder()];
    const none = await mlebench(server, args, { KAGGLE_API_TOKEN: "" });
    expect(none.code).toBe(3);
    expect(none.stderr).toContain("NO_CREDENTIALS");
    expect(none.stderr).toContain("chmod 600 ~/.kaggle/access_token");
    const wrong = await mlebench(server, args, { KAGGLE_API_TOKEN: "KGAT_wrong" });
    expect(wrong.stderr).toContain("BAD_CREDENTIALS");
  });

  it("goes on with a zip that Kaggle has packed anew, and lets the files decide", async () => {
    const data = temporaryFolder();
    const run = await mlebench(await kaggle(), ["prepare", "-c", LEAF, "--data-dir", data]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain("CHECKSUMS_DIFFER");
    expect(run.stderr).toContain("not the very zip");
    expect(fs.existsSync(path.join(data, LEAF, "raw"))).toBe(true);
  });

  it("fetches the leaderboard when asked to, and lacking one is not a failure", async () => {
    const server = await kaggle();
    const data = temporaryFolder();
    server.answers.set(
      `competitions/${LEAF}/leaderboard/download`,
      Buffer.from("teamName,score\na,0.1\nb,0.2\n"),
    );
    const args = [...prepareBoth(data), "--overwrite-leaderboard"];
    const run = await mlebench(server, args);
    expect(run.code).toBe(0);
    expect(fs.readFileSync(path.join(data, LEAF, "leaderboard.csv"), "utf8")).toContain("a,0.1");
    expect(run.stderr).toContain("No leaderboard");
  });
});

describe("dev download-leaderboard", () => {
  it("keeps a board that is there unless forced", async () => {
    const server = await kaggle();
    const data = temporaryFolder();
    server.answers.set(`competitions/${LEAF}/leaderboard/download`, Buffer.from("teamName,score\na,0.1\n"));
    const board = writeText(data, `${LEAF}/leaderboard.csv`, "teamName,score\nmine,1\n");
    const args = ["dev", "download-leaderboard", "-c", LEAF, "--data-dir", data];
    expect((await mlebench(server, args)).stdout).toContain("--force replaces it");
    expect(fs.readFileSync(board, "utf8")).toContain("mine");
    expect((await mlebench(server, [...args, "--force"])).code).toBe(0);
    expect(fs.readFileSync(board, "utf8")).toContain("a,0.1");
  });
});

describe("doctor", () => {
  it("asks Kaggle about rules and names the page for each competition that needs it", async () => {
    const server = await kaggle();
    server.competitions.get(LEAF)!.access = "rules";
    const args = ["doctor", "-c", LEAF, SPOOKY, "--data-dir", temporaryFolder()];
    const { code, stdout } = await mlebench(server, [...args, "--json"]);
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.competitions).toMatchObject([
      { competitionId: LEAF, rules: "not-accepted", fix: expect.stringContaining(`/c/${LEAF}/rules`) },
      { competitionId: SPOOKY, rules: "accepted", canGrade: false, canRun: false },
    ]);
    const text = await mlebench(server, args);
    expect(text.stdout).toContain(`open https://www.kaggle.com/c/${LEAF}/rules`);
  });
});
