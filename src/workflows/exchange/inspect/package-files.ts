import { VERSION } from "../../../grading/version.ts";

/** The Python package that lets Inspect run our competitions. Written by us, for the API of inspect_ai 0.3. */
export function projectFile(): string {
  return `[project]
name = "mlebench-inspect"
version = "${VERSION}"
description = "MLE-bench competitions as Inspect tasks, graded by mlebench"
requires-python = ">=3.10"
dependencies = ["inspect_ai>=0.3.100"]

[project.entry-points.inspect_ai]
mlebench_inspect = "mlebench_inspect"

[tool.setuptools]
packages = ["mlebench_inspect"]

[tool.setuptools.package-data]
mlebench_inspect = ["competitions.json", "compose/*.yaml"]
`;
}

export const INIT_FILE = `from .task import mlebench

__all__ = ["mlebench"]
`;

export const TASK_FILE = `"""MLE-bench competitions as an Inspect task.

The agent works in a container that has the public data and no network. The submission is read out of it when the agent
has ended, and graded on the host by the command \`mlebench\`: answers and grader never enter the container.

    inspect eval mlebench_inspect/mlebench -T competitions=starter-spam --model openai/gpt-5
"""

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.tool import bash, python
from inspect_ai.util import sandbox

HERE = Path(__file__).parent
SUBMISSION = "/home/submission/submission.csv"
FLAGS = ("any_medal", "gold_medal", "silver_medal", "bronze_medal", "above_median", "valid_submission")


def _command() -> list[str]:
    """How to start mlebench: \`MLEBENCH_COMMAND\`, or \`mlebench\` on the path."""
    return shlex.split(os.environ.get("MLEBENCH_COMMAND", "mlebench"))


def _exported() -> dict:
    return json.loads((HERE / "competitions.json").read_text())


def _places() -> list[str]:
    """Where the answers and competitions of one's own lie: as when this was exported, unless the environment says else."""
    exported = _exported()
    options = []
    if not os.environ.get("MLEBENCH_DATA_DIR"):
        options += ["--data-dir", exported["data_dir"]]
    if exported["competitions_dir"] is not None and not os.environ.get("MLEBENCH_COMPETITIONS_DIR"):
        options += ["--competitions", exported["competitions_dir"]]
    return options


def grade(submission: bytes, competition_id: str) -> dict:
    """The grading report of one submission, exactly as mlebench writes it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.csv"
        file.write_bytes(submission)
        done = subprocess.run(
            [*_command(), "grade-sample", str(file), competition_id, *_places(), "--json"],
            capture_output=True,
            text=True,
        )
    if not done.stdout.strip():
        raise RuntimeError(f"mlebench could not grade {competition_id}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def score_value(report: dict) -> dict[str, float]:
    """One number a key, as Inspect wants them; a score that does not exist is left out."""
    value = {key: float(bool(report.get(key))) for key in FLAGS}
    for key in ("score", "percentile"):
        if isinstance(report.get(key), (int, float)):
            value[key] = float(report[key])
    return value


@scorer(metrics={key: [mean(), stderr()] for key in FLAGS})
def medal():
    async def score(state: TaskState, target: Target) -> Score:
        competition_id = str(state.sample_id)
        try:
            submission = await sandbox().read_file(SUBMISSION, text=False)
        except FileNotFoundError:
            return Score(value={key: 0.0 for key in FLAGS}, explanation="There is no submission.csv.")
        report = grade(submission, competition_id)
        if report["status"] in ("unprepared", "unknown-competition", "failed"):
            raise RuntimeError(f"{competition_id} could not be graded: {report['message']}")
        return Score(value=score_value(report), explanation=json.dumps(report, indent=2))

    return score


@task
def mlebench(competitions: str = "", tool_seconds: int = 3600) -> Task:
    """\`competitions\`: ids separated by commas; all that were exported unless told."""
    known = _exported()["competitions"]
    wanted = [name for name in competitions.split(",") if name] or [one["id"] for one in known]
    missing = set(wanted) - {one["id"] for one in known}
    if missing:
        raise ValueError(f"not exported: {', '.join(sorted(missing))}")
    samples = [
        Sample(
            id=one["id"],
            input=one["instructions"],
            target="medal",
            metadata={"competition": one["id"], "category": one["category"]},
            sandbox=("docker", str(HERE / "compose" / f"{one['id']}.yaml")),
        )
        for one in known
        if one["id"] in wanted
    ]
    return Task(
        dataset=MemoryDataset(samples, name="mlebench"),
        solver=react(tools=[bash(timeout=tool_seconds), python(timeout=tool_seconds)]),
        scorer=medal(),
    )
`;

export function composeFile(image: string, publicFolder: string): string {
  // Compose reads "$" as the beginning of a variable, and a short mount's ":" as its end.
  const source = JSON.stringify(publicFolder.replaceAll("$", "$$$$"));
  return `services:
  default:
    image: ${image}
    command: tail -f /dev/null
    init: true
    network_mode: none
    working_dir: /home
    volumes:
      - type: bind
        source: ${source}
        target: /home/data
        read_only: true
        bind:
          create_host_path: false
`;
}

export function packageReadme(ids: readonly string[]): string {
  return `# mlebench in Inspect

\`\`\`
pip install .
mlebench env build --heavy       # the image the agent works in
inspect eval mlebench_inspect/mlebench -T competitions=${ids[0] ?? "<id>"} --model <model>
\`\`\`

${ids.length} competition${ids.length === 1 ? "" : "s"}. The compose files mount the prepared public data of this machine
read-only; answers stay where they are, and \`mlebench grade-sample\` reads them on the host when the agent has ended,
from the folder that was exported from (\`MLEBENCH_DATA_DIR\` names another one). If the command is not on the path:
\`MLEBENCH_COMMAND="node /place/of/mlebench/dist/cli/main.js"\`.
`;
}
