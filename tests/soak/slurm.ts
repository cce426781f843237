// Sixty trials on a real Slurm of four nodes, through everything that happens on a cluster. Needs root and
// scripts/install-slurm.sh: npm run soak -- slurm [trials] [--tell] [--forget] [--ghost]

import { startCluster } from "../e2e/slurm/cluster.ts";
import { survive } from "../e2e/slurm/survive.ts";

const [trials = "60", ...flags] = process.argv.slice(2);
const cluster = startCluster();
try {
  const outcome = await survive(cluster, {
    trials: Number(trials),
    sandbox: "bubblewrap",
    sleepSeconds: 2,
    leaseSeconds: 20,
    tellOfNode: flags.includes("--tell"),
    ghost: flags.includes("--ghost"),
    forget: flags.includes("--forget"),
    patienceSeconds: 540,
    say: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  const attempts = outcome.records.map(({ attempt }) => attempt);
  const finished = outcome.records.filter(({ status }) => status === "finished").length;
  const hosts = new Set(outcome.records.map(({ host }) => host.name));
  console.log(
    `${finished} of ${trials} finished in ${outcome.seconds.toFixed(0)} s on ${[...hosts].sort().join(" ")}`,
  );
  console.log(`${attempts.filter((attempt) => attempt > 1).length} of them after more than one attempt`);
  console.log(`left in the queue: ${outcome.queue || "nothing"}; verify: ${outcome.verified.code}`);
  const good =
    outcome.resumed.code === 0 &&
    finished === Number(trials) &&
    outcome.verified.code === 0 &&
    outcome.queue === "";
  if (!good) console.log(outcome.resumed.stderr.slice(-2000), outcome.verified.stdout.slice(-2000));
  process.exitCode = good ? 0 : 1;
} finally {
  cluster.stop();
}
