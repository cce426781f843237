import type { Competition, CompetitionVersion } from "../../../competitions/competition.ts";
import { VERSION } from "../../../grading/version.ts";
import { ENVIRONMENT_PACKAGES, type EnvironmentWeight } from "../../../sandbox/container/environment.ts";
import { PLACES } from "../instructions.ts";

/** What one exported task says about itself; every file of it is written from this. */
export interface HarborTask {
  competition: Competition;
  version: CompetitionVersion;
  /** The task's own text; null where the user has none. */
  description: string | null;
  /** `embed`: the public data lie in the image; `mount`: they are mounted from the user's data folder. */
  data: "embed" | "mount";
  weight: EnvironmentWeight;
  /** Beside the medal: score, percentile and flags. Harbor computes pass@k only without them. */
  richRewards: boolean;
  timeSeconds: number;
  cpus: number;
  memoryMegabytes: number;
  gpus: number;
}

export const GRADER_IMAGE = `localhost/mlebench-grader:${VERSION}`;

const VERIFIER_SECONDS = 3600;
const BUILD_SECONDS = 3600;

/** `task.toml`, schema 1.4: strings of ours are JSON strings, which are TOML's basic strings as well. */
export function taskToml(task: HarborTask): string {
  const { competition, version } = task;
  const text = (value: string) => JSON.stringify(value);
  const list = (values: readonly string[]) => `[${values.map(text).join(", ")}]`;
  const slug = competition.category.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `schema_version = "1.4"
artifacts = ${list([PLACES.submission, PLACES.code, PLACES.logs])}

[task]
name = ${text(`mlebench/${competition.id}`)}
version = ${text(version === "v1" ? "1.0.0" : "2.0.0")}
description = ${text(`${competition.name}: ${competition.metric.name}, ${competition.metric.direction}`)}
keywords = ${list(["mle-bench", slug, competition.complexity])}
authors = [{ name = "mlebench" }]

[metadata]
competition_id = ${text(competition.id)}
competition_version = ${text(version)}
difficulty = ${text(competition.complexity)}
category = ${text(competition.category)}
metric = ${text(competition.metric.name)}
direction = ${text(competition.metric.direction)}
exported_by = ${text(`mlebench ${VERSION}`)}

[agent]
timeout_sec = ${seconds(task.timeSeconds)}

# The verifier has an environment of its own, tests/Dockerfile: answers and grader are never where the agent is.
[verifier]
timeout_sec = ${seconds(VERIFIER_SECONDS)}
environment_mode = "separate"

[verifier.environment]
build_timeout_sec = ${seconds(BUILD_SECONDS)}
network_mode = "no-network"

[environment]
build_timeout_sec = ${seconds(BUILD_SECONDS)}
cpus = ${task.cpus}
memory_mb = ${task.memoryMegabytes}
gpus = ${task.gpus}
network_mode = "no-network"
workdir = "/home"

[environment.env]
COMPETITION_ID = ${text(competition.id)}
DATA_DIR = ${text(PLACES.data)}
SUBMISSION_DIR = ${text(PLACES.submission)}
CODE_DIR = ${text(PLACES.code)}
LOGS_DIR = ${text(PLACES.logs)}
`;
}

/** Harbor reads these as floats; TOML tells them from integers. */
function seconds(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

export function environmentDockerfile({ data, weight }: HarborTask): string {
  return `FROM debian:bookworm-slim
RUN apt-get update \\
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${ENVIRONMENT_PACKAGES[weight].join(" ")} \\
 && rm -rf /var/lib/apt/lists/*
RUN mkdir -p ${PLACES.submission} ${PLACES.code} ${PLACES.logs} ${PLACES.data} \\
 && chmod 777 ${PLACES.submission} ${PLACES.code} ${PLACES.logs}
${data === "embed" ? `COPY --chmod=a+rX data ${PLACES.data}\n` : ""}WORKDIR /home
`;
}

/** Mounts the public data where they are not to lie in an image. */
export function mountCompose({ competition, version }: HarborTask): string {
  const prepared = version === "v1" ? "prepared" : "prepared-v2";
  return `services:
  main:
    volumes:
      - type: bind
        source: "\${MLEBENCH_DATA_DIR:?set it to the folder with the prepared data}/${competition.id}/${prepared}/public"
        target: ${PLACES.data}
        read_only: true
        # Data that are not there are an error, and not an empty folder for the agent.
        bind:
          create_host_path: false
`;
}

/** Not a solution: it shows that the way from a file to a reward works. Answers are never exported as one. */
export function solveScript({ competition }: HarborTask): string {
  const sample = competition.files.sampleSubmission.replace(/^prepared\/public\//, "");
  const inPublic = competition.files.sampleSubmission.startsWith("prepared/public/");
  return inPublic
    ? `#!/bin/sh
# Submits the sample submission as it is.
set -eu
cp ${PLACES.data}/${sample} ${PLACES.submission}/submission.csv
`
    : `#!/bin/sh
echo "the sample submission of this competition is not public" >&2
exit 1
`;
}
