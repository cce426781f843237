import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import type {
  AskModel,
  ChatMessage,
  ChatToolCall,
  ModelAnswer,
} from "../../../../src/agents/kit/model-client.ts";
import { codeactTools } from "../../../../src/agents/tools/codeact.ts";
import { mlabTools } from "../../../../src/agents/tools/mlab.ts";
import type { WorkTool } from "../../../../src/agents/tools/tool.ts";
import { work } from "../../../../src/agents/tools/work.ts";

/** The harness's side: a file is valid that starts with `id,y`. */
let server: http.Server;
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      const isValid = body.includes("\r\n\r\nid,y\n");
      response.end(
        JSON.stringify({
          result: isValid ? "Submission is valid." : "Submission invalid!",
          is_valid: isValid,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function place(secondsLeft = 600) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-tools-"));
  folders.push(root);
  const of = (name: string) => {
    fs.mkdirSync(path.join(root, name));
    return path.join(root, name);
  };
  return readContract({
    DATA_DIR: of("data"),
    SUBMISSION_DIR: of("submission"),
    LOGS_DIR: of("logs"),
    CODE_DIR: of("code"),
    AGENT_DIR: of("agent"),
    MLEBENCH_DEADLINE_EPOCH: String(Date.now() / 1000 + secondsLeft),
    MLEBENCH_VALIDATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/validate`,
  });
}

let nextId = 0;
function use(name: string, input: object | string): ChatToolCall {
  nextId += 1;
  return {
    id: `call_${nextId}`,
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  };
}

const says = (toolCalls: ChatToolCall[], text = ""): ModelAnswer => ({
  status: "answered",
  text,
  toolCalls,
  inputTokens: 1,
  outputTokens: 1,
});

/** Gives the replies in order, the last one for ever, and keeps what it was told. */
function scripted(...replies: ModelAnswer[]) {
  const asked: ChatMessage[][] = [];
  const ask: AskModel = async (messages) => {
    asked.push([...messages]);
    return replies[Math.min(asked.length, replies.length) - 1];
  };
  const results = () =>
    asked.at(-1)!.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  return { ask, asked, results };
}

const OPTIONS = {
  tools: codeactTools(false),
  maxSteps: 30,
  commandSeconds: 5,
  hasPython: false,
  hardware: "",
};
const finish = says([use("finish", { message: "done" })]);
const submit = (content: string) =>
  says([use("bash", { command: `printf '${content}' > "$OLDPWD"/../submission/submission.csv` })]);

describe("a model that behaves badly is told, and the work goes on", () => {
  test("unknown tools, arguments that are not JSON, missing arguments, files that do not exist", async () => {
    const model = scripted(
      says([use("rm_rf", {})]),
      says([use("bash", "{not json")]),
      says([use("bash", "[1]")]),
      says([use("bash", {})]),
      says([use("view_file", { path: "nowhere.txt" })]),
      says([use("edit_file", { path: "/etc/hostname", old: "", new: "x" })]),
      finish,
    );
    expect(await work(place(), model.ask, OPTIONS)).toEqual({
      why: "finished",
      steps: 7,
      restarts: 0,
      words: "done",
    });
    expect(model.results().map((result) => result.split("\n")[0])).toEqual([
      expect.stringMatching(/^There is no tool "rm_rf"\. The tools are: bash, /),
      expect.stringMatching(/^The arguments are not JSON/),
      "The arguments must be a JSON object.",
      'The argument "command" is missing or is not a string.',
      expect.stringContaining("ENOENT"),
      expect.stringContaining("occurs 0 times"),
    ]);
  });

  test("a model that only talks is asked to act, and left after three times", async () => {
    const model = scripted(says([], "I think"));
    expect(await work(place(), model.ask, OPTIONS)).toEqual({
      why: "finished",
      steps: 3,
      restarts: 0,
      words: "I think",
    });
    expect(model.asked[1].at(-1)!.content).toMatch(/^Go on with a tool, or call finish\./);
  });

  test("one that repeats itself is told so, and stops at the limit of steps", async () => {
    const model = scripted(says([use("bash", { command: "echo same" })]));
    expect(await work(place(), model.ask, { ...OPTIONS, maxSteps: 5 })).toEqual({
      why: "steps",
      steps: 5,
      restarts: 0,
      words: "",
    });
    expect(model.asked[3].at(-1)!.content).toContain("exactly this three times");
  });

  test("one that goes round in circles is told so, too; one that gets on is not", async () => {
    const one = says([use("bash", { command: "echo one" })]);
    const two = says([use("bash", { command: "echo two" })]);
    const model = scripted(one, two, one, two, one, two, finish);
    await work(place(), model.ask, OPTIONS);
    const circles = model.results().map((result) => result.includes("three times"));
    expect(circles).toEqual([false, false, false, false, false, true]);
    const steps = Array.from({ length: 8 }, (_, i) => says([use("bash", { command: `echo ${i}` })]));
    const getsOn = scripted(...steps, finish);
    await work(place(), getsOn.ask, OPTIONS);
    expect(getsOn.results().some((result) => result.includes("three times"))).toBe(false);
  });

  test("one whose window is smaller than we think is asked again with a summary", async () => {
    const turn = says([use("bash", { command: "echo a" })]);
    const asked: number[] = [];
    const ask: AskModel = async (messages, tools) => {
      if (tools.length === 0) return says([], "THE SUMMARY");
      asked.push(messages.length);
      if (asked.length === 4)
        return { status: "refused", message: "status 400: maximum context length exceeded" };
      return asked.length < 6 ? turn : finish;
    };
    expect(await work(place(), ask, OPTIONS)).toMatchObject({ why: "finished", restarts: 1 });
    expect(asked[4]).toBeLessThan(asked[3]);
  });

  test("one that removes what it works in finds it again", async () => {
    const contract = place();
    const model = scripted(
      says([use("bash", { command: `rm -rf ${contract.logs}/sessions ${contract.code}; exit 0` })]),
      says([use("bash", { command: "pwd; echo still here" })]),
      finish,
    );
    await work(contract, model.ask, OPTIONS);
    expect(model.results()[1]).toContain(`${contract.code}\nstill here`);
  });

  test("repeated ids of calls are made different", async () => {
    const twice = use("bash", { command: "echo one" });
    const model = scripted(says([twice, twice]), finish);
    await work(place(), model.ask, OPTIONS);
    const ids = model.asked[1].flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  test("a command that never ends is stopped, binary output is shown readably", async () => {
    const model = scripted(
      says([use("bash", { command: "sleep 100" })]),
      says([use("bash", { command: "printf '\\033[31mred\\0\\377'" })]),
      finish,
    );
    await work(place(), model.ask, { ...OPTIONS, commandSeconds: 1 });
    const [stopped, binary] = model.results();
    expect(stopped).toContain("[stopped: it did not end in time");
    expect(binary.split("\n")[0]).toBe("red·");
  });

  test("of a thousand calls in one reply the first are run, and the others are told so", async () => {
    const calls = Array.from({ length: 1000 }, (_, i) => use("view_file", { path: `none-${i}` }));
    const model = scripted(says(calls), finish);
    await work(place(), model.ask, OPTIONS);
    const results = model.results();
    expect(results).toHaveLength(1000);
    expect([results[19].includes("Not run"), results[20].includes("Not run: at most 20")]).toEqual([
      false,
      true,
    ]);
  });

  test("long output is cut in the middle, and all of it is in a file", async () => {
    const contract = place();
    const model = scripted(says([use("bash", { command: "seq 1 100000" })]), finish);
    await work(contract, model.ask, OPTIONS);
    const [result] = model.results();
    expect(result.length).toBeLessThan(13_000);
    const [, file] = /all of it is in (\S+)/.exec(result)!;
    expect(fs.readFileSync(file, "utf8")).toContain("\n55555\n");
  });
});

test("a valid submission is not lost to an invalid one written over it", async () => {
  const contract = place();
  const target = path.join(contract.submission, "submission.csv");
  const write = (content: string) => says([use("write_file", { path: target, content })]);
  const model = scripted(write("id,y\n1,2\n"), write("wrong\n"), finish);
  await work(contract, model.ask, OPTIONS);
  expect(fs.readFileSync(target, "utf8")).toBe("id,y\n1,2\n");
  expect(model.results()[1]).toContain("the last valid one was put back");
});

test("what is left of time and steps is told with every result", async () => {
  const model = scripted(submit("x"), finish);
  await work(place(), model.ask, OPTIONS);
  expect(model.results()[0]).toMatch(/\[time left: \d+ s; steps left: 29\]$/);
});

test("the end of the time ends the work before the deadline", async () => {
  expect(await work(place(4), scripted(submit("x")).ask, OPTIONS)).toEqual({
    why: "time",
    steps: 0,
    restarts: 0,
    words: "",
  });
});

test.each([
  ["refused", "the budget is used up"],
  ["unreachable", "no route"],
] as const)("a door that is %s ends the work with its words", async (status, message) => {
  const ask: AskModel = async () => ({ status, message });
  expect(await work(place(), ask, OPTIONS)).toEqual({ why: status, steps: 0, message });
});

test("a long conversation is compacted into a summary that keeps the newest turns", async () => {
  const contract = place();
  const model = scripted(
    says([use("bash", { command: "head -c 11000 /dev/zero | tr '\\0' a; echo $RANDOM" })]),
  );
  const summaries: ChatMessage[][] = [];
  const ask: AskModel = async (messages, tools) => {
    if (tools.length > 0) return model.ask(messages, tools);
    summaries.push([...messages]);
    return says([], "BEST SCORE 0.5");
  };
  await work(contract, ask, { ...OPTIONS, maxSteps: 40 });
  expect(summaries.length).toBeGreaterThan(0);
  const longest = Math.max(...model.asked.map((messages) => JSON.stringify(messages).length / 3.6));
  expect(longest).toBeLessThan(90_000);
  expect(JSON.stringify(model.asked.at(-1))).toContain("BEST SCORE 0.5");
  expect(model.asked.at(-1)![0].role).toBe("system");
});

describe("the tools of MLAgentBench", () => {
  const run = async (ask: AskModel, tools: WorkTool[] = mlabTools()) => {
    const contract = place();
    const end = await work(contract, ask, { ...OPTIONS, tools });
    return { contract, end };
  };

  test("write, run, inspect, copy, append, undo and end", async () => {
    const model = scripted(
      says([use("write_file", { file_name: "a.sh", content: "echo first\n" })]),
      says([use("execute_script", { script_name: "a.sh" })]),
      says([use("append_file", { file_name: "a.sh", content: "echo second\n" })]),
      says([use("copy_file", { source: "a.sh", destination: "b.sh" })]),
      says([use("undo_edit_script", { script_name: "a.sh" })]),
      says([
        use("inspect_script_lines", { script_name: "b.sh", start_line_number: "2", end_line_number: "2" }),
      ]),
      says([use("read_file", { file_name: "a.sh" })]),
      says([
        use("inspect_script_lines", { script_name: "b.sh", start_line_number: "1", end_line_number: "500" }),
      ]),
      says([use("undo_edit_script", { script_name: "never.sh" })]),
      says([use("append_to_research_log", { content: "noted" })]),
      says([use("list_files", { dir_path: "." })]),
      says([use("final_answer", { final_answer: "done" })]),
    );
    const { end, contract } = await run(model.ask);
    expect(end).toMatchObject({ why: "finished" });
    const results = model.results().map((result) => result.split("\n[time left")[0]);
    expect(results[1]).toBe("first\n\n[exit status 0]");
    expect(results[5]).toBe("2\techo second");
    expect(results[6]).toBe("echo first\n");
    expect(results[7]).toContain("At most 100 lines");
    expect(results[8]).toContain("Nothing was changed");
    expect(results[10].split("\n").sort()).toEqual(["a.sh", "b.sh"]);
    expect(fs.readFileSync(path.join(contract.logs, "research_log.md"), "utf8")).toBe("noted\n");
  });

  test("an edit by instruction asks the model for the new script and saves it", async () => {
    const loop = scripted(
      says([
        use("edit_script", { script_name: "none.py", edit_instruction: "print 1", save_name: "new.sh" }),
      ]),
      says([use("execute_script", { script_name: "new.sh" })]),
      says([use("final_answer", {})]),
    );
    const ask: AskModel = async (messages, tools) =>
      tools.length > 0 ? loop.ask(messages, tools) : says([], "Here:\n```bash\necho edited\n```");
    await run(ask);
    expect(loop.results()[1]).toContain("edited\n\n[exit status 0]");
  });
});
