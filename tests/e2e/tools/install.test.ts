// full: npm runs against a registry of our own
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CODING_PROGRAMS } from "../../../src/agents/coding/programs.ts";
import { type CliResult, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/**
 * `agents install` against a registry of our own, so that what arrives can be whole, damaged, late or nothing at all. The
 * package is made up; what is tried is what we do around npm.
 */
const { package: NAME, version: VERSION, entries } = CODING_PROGRAMS.pi;
const OTHER = "1.0.0";
const root = temporaryFolder();
const scriptRan = path.join(root, "script-ran");

let registry: http.Server;
let address: string;
let tarball: Buffer;
/** What the registry does when it is asked for the package itself. */
let deliver: (answer: http.ServerResponse) => void;
let asked: string[];
let cache: string;

beforeAll(async () => {
  tarball = packed("whole", entries[0].path.slice(NAME.length + 1));
  const empty = packed("empty", "nothing.js");
  registry = http.createServer((request, answer) => {
    const wanted = decodeURIComponent(request.url ?? "");
    asked.push(wanted);
    if (wanted.endsWith(`/${VERSION}.tgz`)) deliver(answer);
    else if (wanted.endsWith(`/${OTHER}.tgz`)) answer.end(empty);
    else if (wanted === `/${NAME}`) answer.end(JSON.stringify(packument(tarball, empty)));
    else answer.writeHead(404).end("{}");
  });
  await once(registry.listen(0, "127.0.0.1"), "listening");
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
}, 60_000);

beforeEach(() => {
  asked = [];
  deliver = (answer) => answer.end(tarball);
  cache = fs.mkdtempSync(path.join(root, "cache-"));
});

afterAll(() => {
  registry.closeAllConnections();
  registry.close();
});

function packed(name: string, program: string): Buffer {
  const folder = path.join(root, name);
  writeText(folder, program, "console.log('I am a program')\n");
  const scripts = { postinstall: `touch ${scriptRan}` };
  writeText(folder, "package.json", JSON.stringify({ name: NAME, version: VERSION, scripts }));
  const args = ["pack", "--json", "--ignore-scripts"];
  const [{ filename }] = JSON.parse(
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  ) as { filename: string }[];
  return fs.readFileSync(path.join(folder, filename));
}

const integrityOf = (bytes: Buffer) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

function packument(whole: Buffer, empty: Buffer) {
  const version = (of: string, bytes: Buffer) => ({
    ...{ name: NAME, version: of, scripts: { postinstall: `touch ${scriptRan}` } },
    dist: { tarball: `${address}/${of}.tgz`, integrity: integrityOf(bytes) },
  });
  const versions = { [VERSION]: version(VERSION, whole), [OTHER]: version(OTHER, empty) };
  return { name: NAME, "dist-tags": { latest: VERSION }, versions };
}

const environment = () => ({
  XDG_CACHE_HOME: cache,
  npm_config_registry: address,
  // Nothing that another test, or the tester, has fetched.
  npm_config_cache: path.join(cache, "npm"),
  npm_config_userconfig: path.join(root, "no-such-file"),
  npm_config_fetch_retries: "0",
});

function install(
  wanted = "pi",
  env: Record<string, string> = {},
  whileRunning: (child: ReturnType<typeof startMlebench>) => void = () => {},
): Promise<CliResult> {
  const child = startMlebench(["agents", "install", wanted, "--json"], { ...environment(), ...env });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]!.setEncoding("utf8").on("data", (piece: string) => {
      said[name] += piece;
    });
  whileRunning(child);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}

const programs = () => path.join(cache, "mle-bench/agents");
const inCache = () => (fs.existsSync(programs()) ? fs.readdirSync(programs()) : []);

test("what npm checked is recorded, no script of a package runs, and what is there is not fetched again", async () => {
  const first = await install();
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(JSON.parse(first.stdout)).toMatchObject({
    ...{ status: "installed", package: NAME, packageVersion: VERSION, integrity: integrityOf(tarball) },
    files: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(fs.existsSync(scriptRan)).toBe(false);
  expect(inCache()).toEqual([`pi@${VERSION}`]);
  asked = [];
  expect(JSON.parse((await install()).stdout)).toMatchObject({ status: "already there" });
  expect(asked).toEqual([]);
}, 60_000);

test.each([
  [
    "a package that is not what the registry promised",
    () => tarball.subarray(0, -40),
    "pi",
    "EINTEGRITY|integrity",
  ],
  [
    "a version that there is not",
    () => tarball,
    "pi@9.9.9",
    `No matching version found for ${NAME}@9\\.9\\.9`,
  ],
  ["a package without a program", () => tarball, `pi@${OTHER}`, "holds no program for this machine"],
])(
  "%s is refused with npm's reason and a next step, and nothing is left",
  async (_, bytes, wanted, words) => {
    deliver = (answer) =>
      answer.end(Buffer.concat([bytes(), Buffer.from("x".repeat(40))]).subarray(0, bytes().length));
    const { code, stderr } = await install(wanted);
    expect(code).toBe(3);
    expect(stderr).toMatch(/NOT_INSTALLED/);
    expect(stderr).toMatch(new RegExp(words));
    expect(stderr).not.toContain("complete log");
    expect(inCache()).toEqual([]);
  },
  60_000,
);

test("no network, no npm and no place for it are three sentences", async () => {
  const offline = await install("pi", { npm_config_registry: "http://127.0.0.1:9/" });
  expect([offline.code, offline.stderr]).toEqual([
    3,
    expect.stringContaining("a registry must be reachable"),
  ]);
  const without = await install("pi", { PATH: root });
  expect([without.code, without.stderr]).toEqual([3, expect.stringContaining("there is no npm on the PATH")]);
  const file = writeText(root, "a-file", "");
  const placeless = await install("pi", { XDG_CACHE_HOME: file });
  expect([placeless.code, placeless.stderr]).toEqual([2, expect.stringContaining(file)]);
  expect(inCache()).toEqual([]);
}, 60_000);

test("Ctrl-C ends it and npm, and leaves nothing", async () => {
  let hung: http.ServerResponse | undefined;
  const { code } = await install("pi", {}, (child) => {
    deliver = (answer) => {
      hung = answer;
      child.kill("SIGINT");
    };
  });
  expect([code, inCache()]).toEqual([130, []]);
  // npm has let go of its connection.
  await new Promise((resolve) => (hung!.destroyed ? resolve(null) : hung!.on("close", resolve)));
}, 60_000);

test("two at once end well: the first to arrive stays", async () => {
  const waiting: http.ServerResponse[] = [];
  deliver = (answer) => {
    waiting.push(answer);
    if (waiting.length === 2) for (const one of waiting) one.end(tarball);
  };
  const both = await Promise.all([
    install("pi", { npm_config_cache: path.join(cache, "npm-1") }),
    install("pi", { npm_config_cache: path.join(cache, "npm-2") }),
  ]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const said = both.map(({ stdout }) => JSON.parse(stdout) as { status: string; folder: string });
  expect(said.map(({ status }) => status).sort()).toEqual(["already there", "installed"]);
  expect(inCache()).toEqual([`pi@${VERSION}`]);
}, 60_000);

test("a program whose files were changed since is refused, whoever changed them, and installed anew when asked", async () => {
  const { folder } = JSON.parse((await install()).stdout) as { folder: string };
  const file = path.join(folder, "node_modules", entries[0].path);
  const check = () => mlebench(["agents", "check", "pi", "--json"], environment()).stdout;
  expect(check()).not.toContain("not those that npm installed");
  // A copy of the cache has other times, and the same files.
  fs.cpSync(folder, `${folder}-copy`, { recursive: true });
  fs.rmSync(folder, { recursive: true });
  fs.renameSync(`${folder}-copy`, folder);
  expect(check()).not.toContain("not those that npm installed");
  const { atime, mtime } = fs.statSync(file);
  fs.writeFileSync(file, "console.log('I am a PROGRAM')\n");
  fs.utimesSync(file, atime, mtime);
  expect(check()).toContain("not those that npm installed");
  const ran = mlebench(
    ["run", "--agent", "pi", "-c", "starter-spam", "--model", "echo", "--runs-dir", path.join(root, "runs")],
    environment(),
  );
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("mlebench agents install pi")]);
  expect(JSON.parse((await install()).stdout)).toMatchObject({ status: "installed" });
  expect(fs.readFileSync(file, "utf8")).toContain("a program");
  expect(check()).not.toContain("not those that npm installed");
}, 60_000);
