// Runs in the virtual machine: three agents in bubblewrap, and what became of each as a line of JSON.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bubblewrap } from "../../../src/sandbox/bubblewrap/bubblewrap.ts";

const [place] = process.argv.slice(2);
const AGENTS = {
  works: { script: "my $i = 0; $i++ while $i < 2e6", cpus: 1 },
  "eats memory": { script: 'my @x; push @x, "x" x 1_000_000 while 1', cpus: 1 },
  "is slowed down": { script: "my $i = 0; $i++ while $i < 2e6", cpus: 0.2 },
};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cgroup-v2-"));
for (const [agent, { script, cpus }] of Object.entries(AGENTS)) {
  const before = performance.now();
  const outcome = await bubblewrap.start({
    command: ["perl", "-e", script],
    env: { PATH: "/usr/bin:/bin" },
    workingFolder: "/tmp",
    mounts: [],
    network: { mode: "none" },
    forwards: [],
    limits: {
      memoryBytes: { value: 60_000_000, required: true },
      processes: { value: 20, required: true },
      cpus: { value: cpus, required: true },
    },
    gpus: [],
    stdout: path.join(folder, "stdout"),
    stderr: path.join(folder, "stderr"),
    identity: `inside-${process.pid}`,
  });
  const result =
    outcome.status === "refused"
      ? { refused: outcome.code }
      : {
          exit: await outcome.running.wait(),
          by: outcome.policy.limits.memoryBytes.by,
          usage: outcome.running.usage(),
          seconds: (performance.now() - before) / 1000,
        };
  const ours = /^0::(.*)$/m.exec(fs.readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  console.log(JSON.stringify({ place, agent, group: ours, ...result }));
}
