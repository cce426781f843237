import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxRequest } from "../../../src/sandbox/sandbox.ts";
import { notTested } from "../../tools.ts";
import { type AnotherUser, anotherUser, USER, whyNot } from "./another-user.ts";
import { canTest, harnessProgram, makeRig, type Rig } from "./sandbox-rig.ts";

const IMAGE = "localhost/rootless-test";
const problem = (await canTest("podman")) ? whyNot(process.execPath) : "podman does not work here";
if (problem !== null)
  notTested({
    what: "podman without root",
    why: problem,
    command: "sudo npm run test:full",
    ofThisPlace: true,
  });

describe.skipIf(problem !== null)("podman as a user without any privilege", () => {
  let rig: Rig;
  let user: AnotherUser;
  let harness: string;

  beforeAll(async () => {
    rig = makeRig();
    harness = await harnessProgram(rig);
    user = anotherUser(rig.folder);
    const archive = path.join(rig.folder, "root.tar");
    execFileSync("tar", ["-C", rig.root, "-cf", archive, "."]);
    const imported = user.run("podman", "import", "--quiet", archive, IMAGE);
    if (imported.code !== 0) throw new Error(imported.stderr);
  });
  afterAll(() => {
    // Ends the process that podman keeps for its user.
    user.run("podman", "system", "migrate");
    rig.close();
  });

  /** Whether somebody, systemd most likely, has handed cgroups over to this user. */
  function canLimit(): boolean {
    const { host } = JSON.parse(user.run("podman", "info", "--format", "json").stdout);
    return host.cgroupVersion === "v2" && host.cgroupControllers.includes("memory");
  }

  function run(script: string, changes: Partial<SandboxRequest>) {
    const asked = rig.request(script, { image: IMAGE, ...changes });
    for (const place of [asked.mounts[0].host, rig.folder]) fs.chownSync(place, USER, USER);
    const { stdout, stderr } = user.run(process.execPath, harness, "podman", JSON.stringify(asked));
    expect(stderr).toBe("");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return { asked, lines };
  }

  it("isolates, watches what it cannot enforce, and leaves nothing", () => {
    const script = `id -u; ls ${rig.folder} 2>/dev/null; cat /home/work/nothing 2>/dev/null; echo 1,2 > submission.csv
      perl -e 'my $x = "x" x 150_000_000; sleep 60'`;
    const { asked, lines } = run(script, {
      limits: { memoryBytes: { value: 100 * 2 ** 20, required: false } },
    });
    const [started, ended] = lines;
    expect(started.policy).toMatchObject({
      kind: "podman",
      isolation: { user: true, files: true, processes: true, network: true },
      user: { inside: 1000, outside: USER, capabilities: "none" },
    });
    expect(ended.exit).toEqual({ kind: "out-of-memory" });
    expect(ended.usage.peakMemoryBytes).toBeGreaterThan(100 * 2 ** 20);
    expect(started.policy.limits.memoryBytes.enforcement).toBe(canLimit() ? "enforced" : "polled");
    expect(fs.readFileSync(asked.stdout, "utf8")).toBe("1000\n");
    expect(fs.readFileSync(asked.stderr, "utf8")).toBe("");
    expect(fs.statSync(path.join(asked.mounts[0].host, "submission.csv")).uid).toBe(USER);
    rig.expectNothingLeft();
    expect(user.run("podman", "ps", "--all", "--quiet").stdout).toBe("");
  });

  it("refuses an explicit limit unless it can enforce it, and says how it could", () => {
    const limits = { processes: { value: 100, required: true } };
    const refusal = { code: "LIMIT_NOT_ENFORCEABLE", nextStep: expect.stringContaining("systemd-run") };
    expect(run("true", { limits }).lines[0]).toMatchObject(canLimit() ? { status: "started" } : refusal);
  });
});
