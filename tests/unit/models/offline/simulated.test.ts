import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Message, ModelCall, ModelReply, Tool } from "../../../../src/models/call.ts";
import { javascriptSolution } from "../../../../src/models/offline/simulated/javascript.ts";
import { parseSimulated, simulatedReply } from "../../../../src/models/offline/simulated/model.ts";
import { pythonSolution } from "../../../../src/models/offline/simulated/python.ts";
import { FAULTS, settingsIn, settingsOf } from "../../../../src/models/offline/simulated/settings.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-simulated-"));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** A table in which y follows from x and a word, and a test set to predict. */
function competition(name: string): { data: string; out: string } {
  const [data, out] = ["data", "out"].map((part) => path.join(root, name, part));
  for (const folder of [data, out]) fs.mkdirSync(folder, { recursive: true });
  const row = (i: number) => ({ x: ((i * 37) % 101) / 10, word: ["red", "green", "blue"][i % 3] });
  const y = (i: number) => 3 * row(i).x + (i % 3) * 10 - 20;
  const line = (i: number) => `r${i},${row(i).x},${row(i).word}`;
  const count = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const write = (file: string, lines: string[]) =>
    fs.writeFileSync(path.join(data, file), `${lines.join("\n")}\n`);
  write("train.csv", ["id,x,word,y", ...count(0, 300).map((i) => `${line(i)},${y(i)}`)]);
  write("test.csv", ["id,x,word", ...count(300, 360).map(line)]);
  write("sample_submission.csv", ["id,y", ...count(300, 360).map((i) => `r${i},0`)]);
  return { data, out };
}

const truth = (i: number) => 3 * (((i * 37) % 101) / 10) + (i % 3) * 10 - 20;

function errorOf(file: string): number {
  const rows = fs.readFileSync(file, "utf8").trim().split("\n").slice(1);
  const errors = rows.map((row) => {
    const [id, y] = row.split(",");
    return (Number(y) - truth(Number(id.slice(1)))) ** 2;
  });
  return Math.sqrt(errors.reduce((a, b) => a + b, 0) / errors.length);
}

function runScript(
  language: "python" | "javascript",
  code: string,
  place: { data: string; out: string },
  seconds = 60,
) {
  const file = path.join(place.out, language === "python" ? "solution.py" : "solution.cjs");
  fs.writeFileSync(file, code);
  const env = { ...process.env, DATA_DIR: place.data, SIMULATED_OUT: place.out };
  return spawnSync(language === "python" ? "python3" : process.execPath, [file], {
    cwd: place.out,
    env,
    encoding: "utf8",
    timeout: seconds * 1000,
  });
}

for (const language of ["python", "javascript"] as const) {
  const write = language === "python" ? pythonSolution : javascriptSolution;
  describe.skipIf(language === "python" && !hasPython)(`its scripts in ${language}`, () => {
    test("are better level by level from a constant to a model", () => {
      const place = competition(`levels-${language}`);
      const errors = [0, 1, 2, 3].map((level) => {
        expect(runScript(language, write(settingsOf(1, level, null, 1)), place).stderr).toBe("");
        return errorOf(path.join(place.out, "submission.csv"));
      });
      expect(errors[1]).toBeLessThan(errors[0] * 0.8);
      expect(Math.min(errors[2], errors[3])).toBeLessThan(errors[1]);
    });

    test("give the same bytes twice", () => {
      const place = competition(`twice-${language}`);
      const bytes = [1, 2].map(() => {
        runScript(language, write(settingsOf(1, 4, null, 3)), place);
        return fs.readFileSync(path.join(place.out, "submission.csv"), "utf8");
      });
      expect(bytes[0]).toBe(bytes[1]);
    });

    test.each(FAULTS)("with the planted fault %s really fail in that way", (fault) => {
      const place = competition(`fault-${fault}-${language}`);
      const ran = runScript(language, write(settingsOf(1, 2, fault, 1)), place, fault === "timeout" ? 2 : 60);
      const file = path.join(place.out, "submission.csv");
      const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
      switch (fault) {
        case "exception":
          expect(ran.status).toBe(1);
          break;
        case "timeout":
          expect(ran.error).toMatchObject({ code: "ETIMEDOUT" });
          break;
        case "columns":
          expect(lines[0]).toBe("id,y_prediction");
          break;
        case "nan":
          expect(lines[1]).toBe("r300,");
          expect(ran.stdout).toContain("METRIC rmse = nan");
          break;
        case "leak": {
          const honest = runScript(language, write(settingsOf(1, 2, null, 1)), place).stdout;
          const metricOf = (text: string) => Number(/= (\S+)/.exec(text)?.[1]);
          expect(metricOf(ran.stdout)).toBeLessThan(metricOf(honest));
        }
      }
    });
  });
}

const SHELL: Tool = {
  kind: "function",
  name: "bash",
  description: null,
  schema: {
    type: "object",
    properties: { command: { type: "string" }, description: { type: "string" } },
    required: ["command", "description"],
  },
  strict: null,
  format: null,
  group: null,
};

function callOf(messages: Message[], tools: Tool[] = []): ModelCall {
  return {
    model: "m",
    system: [],
    messages,
    tools,
    toolChoice: null,
    settings: {},
    stream: false,
    notes: [],
  };
}

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });

/** What a coding agent does: runs what the model asks for in a real shell, and shows it what came out. */
function converse(name: string, tool: Tool, maxTurns: number) {
  const place = competition(`loop-${name.replace("@", "-")}`);
  const env = {
    ...process.env,
    DATA_DIR: place.data,
    SUBMISSION_DIR: place.out,
    SIMULATED_OUT: place.out,
    CODE_DIR: place.out,
  };
  const model = parseSimulated(name)!;
  const messages: Message[] = [user("Solve the competition; node is installed.")];
  const replies: ModelReply[] = [];
  for (let turn = 0; turn < maxTurns; turn++) {
    const reply = simulatedReply(callOf(messages, [tool]), model);
    replies.push(reply);
    messages.push({ role: "assistant", parts: reply.parts });
    const use = reply.parts.find((part) => part.type === "tool-call");
    if (use?.type !== "tool-call") break;
    const { command } = JSON.parse(use.input) as { command: string | string[] };
    const shell = Array.isArray(command) ? command : ["bash", "-c", command];
    // A planted time-out would cost a minute here; what the shell says of it is what counts.
    const short = shell.map((word) => word.replace("timeout 60", "timeout 3"));
    const ran = spawnSync(short[0], short.slice(1), { env, encoding: "utf8" });
    const content = [{ type: "text" as const, text: ran.stdout + ran.stderr }];
    messages.push({
      role: "user",
      parts: [{ type: "tool-result", callId: use.id, name: tool.name, content, isError: false }],
    });
  }
  return { replies, messages, place };
}

describe("in a tool loop", () => {
  test("steady looks first, improves its scripts and ends by itself with a good submission", () => {
    const { replies, place } = converse("steady", SHELL, 12);
    expect(replies).toHaveLength(6);
    expect(replies.at(-1)?.stopReason).toBe("end");
    expect(errorOf(path.join(place.out, "submission.csv"))).toBeLessThan(5);
  });

  test("clumsy meets its faults, is shown them and repairs each", () => {
    const { replies, messages, place } = converse("clumsy", SHELL, 20);
    const written = messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.flatMap((part) =>
            part.type === "tool-call" ? settingsIn(JSON.parse(part.input).command) : [],
          )
        : [],
    );
    const faults = written.flatMap(({ fault }) => (fault === null ? [] : [fault]));
    expect(faults.length).toBeGreaterThanOrEqual(3);
    for (const [index, { fault, level }] of written.entries()) {
      if (fault === "exception") expect(written[index + 1]).toMatchObject({ fault: null, level });
    }
    expect(replies.at(-1)?.stopReason).toBe("end");
    expect(fs.readFileSync(path.join(place.out, "submission.csv"), "utf8")).toMatch(/^id,y\n/);
  });

  test("a shell that takes a list of words gets one", () => {
    const listed: Tool = {
      ...SHELL,
      name: "shell",
      schema: { type: "object", properties: { command: { type: "array" } }, required: ["command"] },
    };
    expect(converse("steady@1", listed, 12).replies.at(-1)?.stopReason).toBe("end");
  });

  test("stubborn repeats a failing script", () => {
    const { messages } = converse("stubborn", SHELL, 6);
    expect(JSON.stringify(messages.at(-1))).toContain("exit status 1");
  });
});

describe("asked for code", () => {
  const draftOf = (prompt: string, name = "steady") =>
    (simulatedReply(callOf([user(prompt)]), parseSimulated(name)!).parts[0] as { text: string }).text;

  test("it answers with a plan and one code block in the language at hand", () => {
    expect(draftOf("Write a solution as a code block. Python 3.11 is installed.")).toMatch(
      /^[A-Z].*\n\n```python\n/,
    );
    expect(draftOf("Write a solution as a code block. Only node is there.")).toContain("```javascript\n");
  });

  test("its script reads what lies beside it, and does not name the folder where everything lies", () => {
    for (const language of ["Python 3.11 is installed.", "Only node is there."])
      expect(
        draftOf(`Write a solution as a code block; your data are in ./input. ${language}`),
      ).not.toContain("/home/data");
  });

  test("a script it is shown is improved, or repaired when its output shows a failure", () => {
    const shown = pythonSolution(settingsOf(3, 1, "exception", 5));
    const repaired = settingsIn(
      draftOf(`Python. Improve this code:\n${shown}\nTraceback (most recent call last):\nKeyError`),
    );
    expect(repaired.at(-1)).toMatchObject({ level: 1, fault: null, seed: 5 });
    const improved = settingsIn(
      draftOf(
        `Python. Improve this code:\n${pythonSolution(settingsOf(3, 1, null, 5))}\nMETRIC rmse = 2 (lower is better)`,
      ),
    );
    expect(improved.at(-1)).toMatchObject({ level: 2, fault: null });
  });

  test("a review is filled in from what the script printed", () => {
    const review: Tool = {
      ...SHELL,
      name: "submit_review",
      schema: { type: "object", properties: { is_bug: {}, metric: {} } },
    };
    const ask = (output: string) => {
      const [part] = simulatedReply(callOf([user(output)], [review]), parseSimulated("steady")!).parts;
      return JSON.parse((part as { input: string }).input) as object;
    };
    expect(ask("METRIC rmse = 0.25 (lower is better)\nwrote submission.csv with 3 rows")).toMatchObject({
      is_bug: false,
      metric: 0.25,
      lower_is_better: true,
      has_csv_submission: true,
    });
    expect(ask("Traceback (most recent call last):")).toMatchObject({ is_bug: true, metric: null });
  });
});

test("the same call gives the same reply, and the reply says that it is simulated", () => {
  const call = callOf([user("Solve it with a script")], [SHELL]);
  const [a, b] = [1, 2].map(() => simulatedReply(call, parseSimulated("clumsy@7")!));
  expect(a).toEqual(b);
  expect(a.model).toBe("simulated:clumsy@7");
});

test.each(["", "greedy", "steady@", "steady@x", "STEADY"])("%j is not a policy", (name) => {
  expect(parseSimulated(name)).toBeNull();
});
