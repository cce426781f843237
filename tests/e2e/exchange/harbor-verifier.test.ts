// full: builds images and runs a container
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { nodeRuntime } from "../../../src/agents/kit/node-runtime.ts";
import { json, mlebench } from "../cli.ts";
import { makeEssentialRoot } from "../sandbox/essential-root.ts";
import { canTest, importFolder } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const BASE = `localhost/mlebench-test-node-${process.pid}`;
const VERIFIER = `localhost/mlebench-test-verifier-${process.pid}`;
const images = [VERIFIER, BASE];
afterAll(() => {
  spawnSync("podman", ["rmi", "--force", ...images]);
});

/** What `node:20-bookworm-slim` would be, made of this machine's own files: there is no registry to take it from. */
function importBase(folder: string): void {
  makeEssentialRoot(folder);
  const { mounts } = nodeRuntime();
  for (const { host, inside } of mounts) {
    const place = inside.endsWith("/node") ? "/usr/bin/node" : `/usr/lib/${path.basename(inside)}`;
    fs.copyFileSync(host, path.join(folder, place));
  }
  importFolder(folder, BASE);
}

test.runIf(await canTest("podman"))(
  "the verifier that is exported, run in podman without a network, gives the exact score",
  () => {
    const root = temporaryFolder();
    const dataDir = layOutPrepared(path.join(root, "data"));
    const tasks = path.join(root, "tasks");
    const sample = path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv");
    importBase(path.join(root, "base"));
    const args = ["export", "harbor", "-c", COMPETITION, tasks, "--data-dir", dataDir, "--rich-rewards"];
    expect(mlebench(args)).toMatchObject({ code: 0 });
    const built = spawnSync("sh", [path.join(tasks, "grader/build.sh"), "--build-arg", `BASE=${BASE}`], {
      env: { ...process.env, ENGINE: "podman" },
      encoding: "utf8",
    });
    expect(built.status, built.stderr).toBe(0);
    images.push(/localhost\/mlebench-grader:[\w.-]+/.exec(built.stdout + built.stderr)![0]);
    execFileSync("podman", ["build", "-t", VERIFIER, path.join(tasks, COMPETITION, "tests")], {
      stdio: "ignore",
    });

    const logs = path.join(root, "logs");
    const verify = (submission: string) => {
      fs.rmSync(logs, { recursive: true, force: true });
      fs.mkdirSync(path.join(logs, "verifier"), { recursive: true });
      const hybrid = fs.existsSync("/sys/fs/cgroup/unified") ? ["--runtime", "runc"] : [];
      const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];
      const mounts = ["-v", `${submission}:/home/submission:ro`, "-v", `${logs}:/logs`];
      spawnSync("podman", [
        ...hybrid,
        "run",
        "--rm",
        "--network",
        "none",
        ...limits,
        ...mounts,
        VERIFIER,
        "sh",
        "/tests/test.sh",
      ]);
      const read = (name: string) => JSON.parse(fs.readFileSync(path.join(logs, "verifier", name), "utf8"));
      return { reward: read("reward.json"), report: read("grading_report.json") };
    };

    const good = path.join(root, "good");
    fs.mkdirSync(good);
    fs.copyFileSync(sample, path.join(good, "submission.csv"));
    const { reward, report } = verify(good);
    const own = json(mlebench(["grade-sample", sample, COMPETITION, "--json", "--data-dir", dataDir])) as {
      score: number;
    };
    expect(report.score).toBe(own.score);
    expect(reward).toMatchObject({ reward: 0, valid_submission: 1, score: own.score });

    const empty = path.join(root, "empty");
    fs.mkdirSync(empty);
    expect(verify(empty)).toMatchObject({
      reward: { reward: 0, valid_submission: 0 },
      report: { status: "missing" },
    });
  },
  180_000,
);
