import fs from "node:fs";
import { expect, it } from "vitest";
import { runScript } from "../../../../../src/agents/tree/execution/run-script.ts";
import { temporaryFolder } from "../../../../e2e/temporary-folder.ts";

/** Processes one of whose arguments this is. */
function aliveWith(argument: string): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  });
}

/** Leaves a process behind that sleeps, started with these options. */
const leaving = (name: string, options: string) =>
  `require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 600000)", "${name}"], { detached: true, ${options} }).unref();`;

it.skipIf(!fs.existsSync("/proc/self/fd")).each([
  ["nothing changed", 'stdio: "ignore"'],
  ["an empty environment", 'stdio: "ignore", env: {}'],
  ["another folder", 'stdio: "ignore", cwd: "/"'],
  ["an empty environment in another folder, its streams held", 'stdio: "inherit", env: {}, cwd: "/"'],
])("ends what a program left behind, with %s, and holds no stream of it", async (_, options) => {
  const folder = temporaryFolder();
  const name = `left behind ${folder}`;
  const pipes = () => process.getActiveResourcesInfo().filter((one) => one === "PipeWrap").length;
  const before = pipes();
  const outcome = await runScript({
    command: [process.execPath, "-e", `${leaving(name, options)} console.log("done");`],
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    timeoutSeconds: 60,
    memoryBytes: Number.POSITIVE_INFINITY,
    mark: name,
  });
  expect(outcome).toMatchObject({ end: "exited", exitCode: 0, output: "done\n" });
  expect(aliveWith(name)).toEqual([]);
  await expect.poll(pipes).toBeLessThanOrEqual(before);
});
