import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { notTested } from "../../tools.ts";
import { anotherUser, USER, whyNot } from "../sandbox/another-user.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "./setting.ts";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const problem = whyNot(MAIN);
if (problem !== null)
  notTested({
    what: "a machine without sandboxes",
    why: problem,
    command: "sudo npm test",
    ofThisPlace: true,
  });

describe.skipIf(problem !== null)("a user without root, on a machine without any sandbox", () => {
  const root = temporaryFolder();
  fs.chmodSync(path.dirname(root), 0o755);
  fs.chmodSync(root, 0o755);
  const user = anotherUser(root, { hidden: ["bwrap", "podman", "docker"] });
  const dataDir = layOutPrepared(path.join(user.home, "data"));
  const agentsDir = shellAgent(path.join(user.home, "agents"), "true");
  const mlebench = (command: string) => user.run(process.execPath, MAIN, ...command.split(" "));
  const options = `-c ${COMPETITION} --data-dir ${dataDir} --agents-dir ${agentsDir}`;

  test("runs a built-in agent all the same, and is told what is missing and how to get it", () => {
    const ran = mlebench(`run --agent sample --name demo ${options}`);
    expect(ran.stderr).toContain(
      "bubblewrap (bwrap) is not installed (install it: apt-get install bubblewrap)",
    );
    expect(ran.stderr).toContain("NO isolation");
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("1 of 1 trials finished")]);
    expect(fs.statSync(path.join(user.home, "runs/demo/group.json")).uid).toBe(USER);
    expect(mlebench("grade demo").code).toBe(0);
    expect(mlebench("verify demo").stdout).toContain("NOT isolated from the host");
  });

  test("does not run anybody else's agent unless told to trust it", () => {
    const refused = mlebench(`run --agent scripted ${options}`);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("SANDBOX_MISSING")]);
    expect(refused.stderr).toContain("--sandbox process");
    expect(mlebench(`run --agent scripted --sandbox process ${options}`).code).toBe(0);
  });

  test.each([
    ["bubblewrap", "apt-get install bubblewrap"],
    ["podman", "scripts/install-sandboxes.sh"],
    ["docker", "apt-get install docker.io"],
  ])("is told how to get %s when asking for it", (kind, command) => {
    const { code, stderr } = mlebench(`run --agent sample --sandbox ${kind} ${options}`);
    expect([code, stderr]).toEqual([3, expect.stringContaining(command)]);
  });
});
