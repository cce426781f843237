import { PLACES } from "../instructions.ts";
import { GRADER_IMAGE, type HarborTask } from "./task-files.ts";

/** The image every verifier starts from: Node and this very version of mlebench, nothing of any competition. */
export function graderDockerfile(): string {
  return `ARG BASE=node:20-bookworm-slim
FROM \${BASE}
COPY mlebench /opt/mlebench
COPY reward.mjs /opt/mlebench/reward.mjs
`;
}

/** Builds the grader's image once for all tasks of the export. */
export function buildScript(): string {
  return `#!/bin/sh
# Builds ${GRADER_IMAGE}, which the verifier of every task here starts from. ENGINE=podman for podman;
# further arguments go to the build (--build-arg BASE=<an image with Node 20>).
set -eu
cd "$(dirname "$0")"
\${ENGINE:-docker} build -t ${GRADER_IMAGE} "$@" .
`;
}

export function verifierDockerfile({ competition }: HarborTask, ownCompetition: boolean): string {
  return `# ${competition.id}: the grader and the private answers. The agent's environment has neither.
FROM ${GRADER_IMAGE}
COPY answers /opt/answers
${ownCompetition ? "COPY competitions /opt/competitions\n" : ""}COPY test.sh /tests/test.sh
`;
}

export function testScript(task: HarborTask, ownCompetition: boolean): string {
  const { competition, version, richRewards } = task;
  const own = ownCompetition ? " --competitions /opt/competitions" : "";
  return `#!/bin/sh
# Grades the submission exactly as mlebench grades it, and writes the reward.
mkdir -p /logs/verifier
node /opt/mlebench/dist/cli/main.js grade-sample ${PLACES.submission}/submission.csv ${competition.id} \\
  --competition-version ${version} --data-dir /opt/answers${own} --json > /logs/verifier/grading_report.json
node /opt/mlebench/reward.mjs /logs/verifier/grading_report.json${richRewards ? " --rich" : ""} > /logs/verifier/reward.json.tmp &&
  mv /logs/verifier/reward.json.tmp /logs/verifier/reward.json
`;
}

/**
 * From a grading report to \`reward.json\`. One key, 0 or 1, unless more is wished: Harbor computes pass@k only then. A
 * grader that could not grade leaves no reward, which Harbor counts as the verifier's error and not as the agent's zero.
 */
export const REWARD_PROGRAM = `import fs from "node:fs";

const [file, rich] = process.argv.slice(2);
const report = JSON.parse(fs.readFileSync(file, "utf8"));
if (["unprepared", "unknown-competition", "failed"].includes(report.status)) {
  console.error(\`\${report.competition_id} could not be graded: \${report.message}\`);
  process.exit(1);
}
const flag = (value) => (value ? 1 : 0);
const reward = { reward: flag(report.any_medal) };
if (rich === "--rich") {
  for (const key of ["valid_submission", "above_median", "gold_medal", "silver_medal", "bronze_medal"])
    reward[key] = flag(report[key]);
  for (const key of ["score", "percentile", "normalised_score"])
    if (typeof report[key] === "number") reward[key] = report[key];
}
console.log(JSON.stringify(reward));
`;

export function taskReadme({ competition, data }: HarborTask): string {
  const mounted = `The public data are mounted: set \`MLEBENCH_DATA_DIR\` to the folder with the prepared data
(\`mlebench prepare -c ${competition.id}\`) before Harbor starts.`;
  const embedded = `The public data lie in \`environment/data\` and become part of the image.`;
  return `# mlebench/${competition.id}

${data === "mount" ? mounted : embedded}

**\`tests/answers\` holds the private answers.** They are built into the verifier's image only, which Harbor starts after
the agent has ended (\`environment_mode = "separate"\`). Do not publish this folder, its images or an export with it:
whoever has it can score perfectly, and most competitions' rules forbid passing their data on.

A Harbor that does not know separate verifiers would run \`tests/\` in the agent's own container after the agent: the
answers are then uploaded to a place the agent's processes may still see. Do not trust results of such a Harbor.

Build the grader once: \`sh ../grader/build.sh\`. The verifier writes \`reward.json\` (\`reward\` is 1 for any medal) and
the whole grade as \`grading_report.json\`.
`;
}
