import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse as readYaml } from "yaml";
import { z } from "zod";
import { hasProgram } from "../../tools.ts";
import { json, mlebench } from "../cli.ts";
import { COMPETITION } from "../trials/setting.ts";
import { type AskingGroup, askingGroup } from "./asking-group.ts";

let group: AskingGroup;
beforeAll(async () => {
  group = await askingGroup();
});

/** Reads the archive with Python's own library, which shares nothing with our writer. */
const READER = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as log:
    assert log.testzip() is None
    print(json.dumps({info.filename: json.loads(log.read(info)) for info in log.infolist()}))
`;

const Offset = z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/);
const Usage = z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() });
const Message = z.looseObject({
  id: z.string(),
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});
const Metric = z.object({ name: z.string(), value: z.number(), params: z.object({}) });
/** As the specification describes what Inspect 0.3.260 asks of a header. */
const Header = z.object({
  version: z.literal(2),
  status: z.enum(["started", "success", "cancelled", "error"]),
  eval: z.looseObject({
    created: Offset,
    task: z.string(),
    dataset: z.object({
      name: z.string(),
      samples: z.int(),
      sample_ids: z.array(z.string()),
      shuffled: z.boolean(),
    }),
    model: z.string(),
    config: z.looseObject({ epochs: z.int() }),
    eval_id: z.string().length(22),
    run_id: z.string().length(22),
    task_id: z.string().length(22),
  }),
  plan: z.object({
    name: z.string(),
    steps: z.array(z.object({ solver: z.string(), params: z.object({}) })),
    config: z.object({}),
  }),
  results: z.object({
    total_samples: z.int(),
    completed_samples: z.int(),
    scores: z.array(
      z.object({
        name: z.string(),
        scorer: z.string(),
        params: z.object({}),
        scored_samples: z.int(),
        unscored_samples: z.int(),
        metrics: z.record(z.string(), Metric),
      }),
    ),
  }),
  stats: z.object({
    started_at: Offset,
    completed_at: Offset,
    model_usage: z.record(z.string(), z.looseObject(Usage.shape)),
    role_usage: z.object({}),
  }),
  invalidated: z.boolean(),
  tags: z.array(z.string()),
  metadata: z.object({}).loose(),
});
const Event = z.looseObject({
  event: z.enum(["model", "info", "score"]),
  uuid: z.string(),
  timestamp: Offset,
  working_start: z.number(),
});
const Sample = z.looseObject({
  id: z.string(),
  epoch: z.int().min(1),
  input: z.string(),
  target: z.string(),
  messages: z.array(Message),
  output: z.looseObject({
    model: z.string(),
    choices: z.array(
      z.object({
        message: Message,
        stop_reason: z.enum([
          "stop",
          "max_tokens",
          "model_length",
          "tool_calls",
          "content_filter",
          "unknown",
        ]),
      }),
    ),
  }),
  scores: z.record(z.string(), z.looseObject({ value: z.record(z.string(), z.number()) })),
  metadata: z.looseObject({}),
  store: z.object({}),
  events: z.array(Event),
  events_data: z.object({ messages: z.array(Message), calls: z.array(z.unknown()) }),
  model_usage: z.record(z.string(), z.looseObject(Usage.shape)),
  attachments: z.object({}),
  uuid: z.string(),
});

function exported(): Record<string, unknown> {
  const file = path.join(group.root, "logs", "group.eval");
  const result = mlebench(["export", "inspect", group.folder, file, "--json"]);
  expect(result.stderr).toBe("");
  expect(json(result)).toMatchObject({ status: "exported", samples: 2, ungraded: 0 });
  const read = spawnSync("python3", ["-c", READER, file], { encoding: "utf8", maxBuffer: 2 ** 26 });
  expect(read.stderr).toBe("");
  return JSON.parse(read.stdout);
}

test.runIf(hasProgram("python3", "an Inspect log read by Python's own zip library"))(
  "a group becomes a log with every member and field that Inspect's reader asks for",
  () => {
    const members = exported();
    const header = Header.parse(members["header.json"]);
    expect(header).toMatchObject({ status: "success", results: { total_samples: 2 } });
    expect(header.eval).toMatchObject({ model: "echo", dataset: { samples: 1 }, config: { epochs: 2 } });
    expect(header.results.scores.map(({ name }) => name)).toContain("any_medal");
    for (const epoch of [1, 2]) {
      const sample = Sample.parse(members[`samples/${COMPETITION}_epoch_${epoch}.json`]);
      expect(sample.scores.medal.value).toMatchObject({ valid_submission: 1 });
      expect(sample.metadata).toMatchObject({ language_model: false, sandbox: "process" });
      const calls = sample.events.filter(({ event }) => event === "model");
      expect(calls).toHaveLength(3);
      // The third request repeats the first two: each message is written once, and ranges put them together again.
      const refs = calls[2].input_refs as [number, number][];
      const asked = refs.flatMap(([from, to]) => sample.events_data.messages.slice(from, to));
      expect(asked.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
      expect(sample.events_data.messages).toHaveLength(5);
      expect(sample.messages.slice(0, -1)).toEqual(asked);
      expect(sample.events.some(({ event }) => event === "score")).toBe(true);
    }
    const summaries = members["summaries.json"] as { id: string; completed: boolean }[];
    expect(summaries).toEqual(members["_journal/summaries/1.json"]);
    expect(summaries.map(({ completed }) => completed)).toEqual([true, true]);
    const used = Object.values(header.stats.model_usage);
    const inSamples = [1, 2].flatMap((epoch) =>
      Object.values(Sample.parse(members[`samples/${COMPETITION}_epoch_${epoch}.json`]).model_usage),
    );
    expect(used[0].total_tokens).toBe(inSamples.reduce((sum, usage) => sum + usage.total_tokens, 0));
  },
);

test("the same group gives the same bytes twice", () => {
  const write = (name: string) => {
    const file = path.join(group.root, name);
    expect(mlebench(["export", "inspect", group.folder, file]).code).toBe(0);
    return fs.readFileSync(file);
  };
  expect(write("one.eval").equals(write("two.eval"))).toBe(true);
});

test("a file that Inspect would not list is refused, and so is a group that is not there", () => {
  expect(mlebench(["export", "inspect", group.folder, "log.zip"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(".eval"),
  });
  expect(mlebench(["export", "inspect", "nothing", "log.eval", "--runs-dir", group.runsDir]).code).toBe(2);
});

test.runIf(hasProgram("python3", "the generated Inspect task package"))(
  "the task package compiles, and its grader gives what mlebench gives",
  () => {
    const folder = path.join(group.root, "package");
    const result = mlebench([
      "export",
      "inspect-tasks",
      "-c",
      COMPETITION,
      folder,
      "--data-dir",
      group.dataDir,
    ]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const task = path.join(folder, "mlebench_inspect", "task.py");
    const sample = path.join(group.dataDir, COMPETITION, "prepared/public/sample_submission.csv");
    // Inspect itself is not to be had here: the functions that do not need it are taken out of the file by name.
    const program = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1]).read())
wanted = {"_command", "_exported", "_places", "grade", "score_value"}
body = [n for n in tree.body if (isinstance(n, ast.FunctionDef) and n.name in wanted)
        or (isinstance(n, (ast.Import, ast.ImportFrom)) and not (getattr(n, "module", "") or "").startswith("inspect_ai"))
        or (isinstance(n, ast.Assign) and n.targets[0].id in ("FLAGS", "HERE"))]
space = {"__file__": sys.argv[1]}
exec(compile(ast.Module(body, []), "task", "exec"), space)
report = space["grade"](open(sys.argv[2], "rb").read(), sys.argv[3])
print(json.dumps({"report": report, "value": space["score_value"](report)}))
`;
    const graded = spawnSync("python3", ["-c", program, task, sample, COMPETITION], {
      encoding: "utf8",
      env: {
        ...process.env,
        MLEBENCH_COMMAND: `${process.execPath} ${path.resolve("dist/cli/main.js")}`,
        // The package knows where the data lay that it was made of.
        MLEBENCH_DATA_DIR: "",
      },
    });
    expect(graded.stderr).toBe("");
    const { report, value } = JSON.parse(graded.stdout);
    const own = json(mlebench(["grade-sample", sample, COMPETITION, "--json", "--data-dir", group.dataDir]));
    expect(report.score).toBe((own as { score: number }).score);
    expect(value).toMatchObject({ valid_submission: 1, score: report.score });
    const compose = fs.readFileSync(
      path.join(folder, "mlebench_inspect/compose", `${COMPETITION}.yaml`),
      "utf8",
    );
    expect(readYaml(compose).services.default).toMatchObject({
      network_mode: "none",
      volumes: [
        {
          source: path.join(group.dataDir, COMPETITION, "prepared/public"),
          target: "/home/data",
          read_only: true,
        },
      ],
    });
    expect(compose).not.toContain("private");
  },
);
