// npm run bench -- <suite> [--json] [--quick] [--no-python] [--only <text>]
const SUITES = {
  grade: () => import("./grade/suite.mjs"),
  campaign: () => import("./campaign/suite.mjs"),
  prepare: () => import("./prepare/suite.mjs"),
  learn: () => import("./learn/suite.mjs"),
  kernels: () => import("./kernels/suite.mjs"),
  trials: () => import("./trials/suite.mjs"),
  slurm: () => import("./slurm/suite.mjs"),
  analysis: () => import("./analysis/suite.mjs"),
  viewer: () => import("./viewer/suite.mjs"),
  gateway: () => import("./gateway/suite.mjs"),
  tree: () => import("./tree/suite.mjs"),
  repositories: () => import("./repositories/suite.mjs"),
  plagiarism: () => import("./plagiarism/suite.mjs"),
};

const [name, ...options] = process.argv.slice(2);
if (!name || !Object.hasOwn(SUITES, name)) {
  console.error(
    `usage: npm run bench -- ${Object.keys(SUITES).join(" | ")} [--json] [--quick] [--no-python] [--only <text>]`,
  );
  process.exit(2);
}
const { run } = await SUITES[name]();
process.exitCode = await run(options);
