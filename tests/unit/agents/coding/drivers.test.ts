import fc from "fast-check";
import { expect, test } from "vitest";
import { type Driver, streamStart } from "../../../../src/agents/coding/driver.ts";
import { claudeCode } from "../../../../src/agents/coding/drivers/claude-code.ts";
import { codex } from "../../../../src/agents/coding/drivers/codex.ts";
import { geminiCli } from "../../../../src/agents/coding/drivers/gemini-cli.ts";
import { opencode } from "../../../../src/agents/coding/drivers/opencode.ts";
import { pi } from "../../../../src/agents/coding/drivers/pi.ts";
import { AgentTurn } from "../../../../src/agents/kit/agent-summary.ts";

type Line = Record<string, unknown>;

const claude = (id: string, part: Line): Line => ({ type: "assistant", message: { id, content: [part] } });
const results = (...content: Line[]): Line => ({ type: "user", message: { role: "user", content } });
const item = (when: string, type: string, more: Line = {}): Line => ({
  type: `item.${when}`,
  item: { type, ...more },
});
const said = { type: "message", role: "assistant", content: "x", delta: true };
const step = (tool: string, state: Line): Line => ({ type: "tool_use", part: { tool, state } });
const ended = (toolName: string, text: string, isError: boolean): Line => ({
  ...{ type: "tool_execution_end", toolName, isError },
  result: { content: [{ type: "text", text }] },
});

/**
 * As the programs of the versions in programs.ts print them: two replies of the model, the first one calls two tools, the
 * second of which ends first, and with 3. The output of the first looks like a failure, and is none.
 */
const LINES: [string, Driver, Line[], (number | null)[]][] = [
  [
    "claude-code",
    claudeCode,
    [
      { type: "system", subtype: "init" },
      claude("a", { type: "text" }),
      claude("a", { type: "tool_use", id: "1", name: "Read" }),
      claude("a", { type: "tool_use", id: "2", name: "Bash" }),
      results({
        type: "tool_result",
        tool_use_id: "2",
        content: "Exit code 3\nno such file",
        is_error: true,
      }),
      results({ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "Exit code 4" }] }),
      claude("b", { type: "text" }),
    ],
    [3, null],
  ],
  [
    "codex",
    codex,
    [
      { type: "thread.started" },
      item("completed", "error", { message: "unknown model" }),
      ...[item("completed", "reasoning"), item("completed", "agent_message")],
      ...[item("started", "command_execution"), item("started", "command_execution")],
      item("completed", "command_execution", { exit_code: 3 }),
      item("completed", "command_execution", { exit_code: 0 }),
      item("completed", "agent_message"),
    ],
    [3, 0],
  ],
  [
    "gemini-cli",
    geminiCli,
    [
      { type: "message", role: "user", content: "do it" },
      ...[said, said],
      { type: "tool_use", tool_name: "Read", tool_id: "1" },
      { type: "tool_use", tool_name: "Bash", tool_id: "2" },
      { type: "tool_result", tool_id: "2", status: "success", output: "a\nCommand exited with code: 3" },
      {
        type: "tool_result",
        tool_id: "1",
        status: "success",
        output: "Command exited with code: 4, it says",
      },
      said,
    ],
    [3, null],
  ],
  [
    "opencode",
    opencode,
    [
      { type: "step_start" },
      step("Bash", { status: "completed", metadata: { exit: 3 } }),
      step("Read", { status: "completed", metadata: { output: "exit 4" } }),
      ...[{ type: "step_finish" }, { type: "step_start" }, { type: "text" }, { type: "step_finish" }],
    ],
    [3, null],
  ],
  [
    "pi",
    pi,
    [
      { type: "message_start", message: { role: "assistant" } },
      { type: "message_update", message: { role: "assistant" } },
      { type: "message_end", message: { role: "assistant" } },
      ended("Bash", "(no output)\n\nCommand exited with code 3", true),
      ended("Read", "Command exited with code 4", false),
      { type: "message_end", message: { role: "assistant" } },
    ],
    [3, null],
  ],
];

function readAll(driver: Driver, lines: readonly Line[]) {
  const soFar = streamStart();
  return lines.map((line) => {
    const facts = driver.read(line, soFar);
    soFar.previous = line;
    return facts;
  });
}

test.each(LINES)(
  "a turn of %s is one reply of the model, in however many lines it shows it, before its tools and how they ended",
  (id, driver, lines, exitCodes) => {
    const facts = readAll(driver, lines);
    expect(facts.reduce((sum, { turns = 0 }) => sum + turns, 0)).toBe(2);
    const tools = facts.flatMap(({ tools = [] }) => tools);
    expect(tools.map(({ exitCode }) => exitCode)).toEqual(exitCodes);
    if (id !== "codex") expect(tools.map(({ name }) => name)).toEqual(["Bash", "Read"]);
    expect(facts.reduce((sum, { failedCommands = 0 }) => sum + failedCommands, 0)).toBe(1);
    const first = facts.findIndex(({ turns = 0 }) => turns > 0);
    expect(first).toBeLessThanOrEqual(facts.findIndex(({ tools = [] }) => tools.length > 0));
  },
);

/** Whatever a program prints, what we keep of it can be read again. */
test.each(LINES)("nothing that %s may print makes its turns unreadable", (_, driver, lines) => {
  const oddities = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(-1, 1e300, 0.5, "7", null, [null], { input_tokens: -5, output: 1e308 }),
  );
  const keys = ["type", "message", "part", "item", "usage", "content", "state", "tokens", "stats", "result"];
  const nested = fc.dictionary(fc.constantFrom("exit_code", "metadata", "exit", "usage", "input"), oddities);
  const line = fc.oneof(
    fc.dictionary(fc.constantFrom(...keys, "id", "input", "output", "exit_code", "tool_id"), oddities),
    fc
      .tuple(fc.constantFrom(...lines), fc.constantFrom(...keys), fc.oneof(oddities, nested))
      .map(([usual, key, odd]) => ({ ...usual, [key]: odd })),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (stream) => {
      for (const facts of readAll(driver, stream)) {
        const { conversation, ...said } = facts;
        const turn = { time: 0, run: 0, ...said, ...conversation };
        expect(AgentTurn.safeParse(JSON.parse(JSON.stringify(turn))).error).toBeUndefined();
      }
    }),
  );
});

test("what a program's helpers ask for is the model of the run, and no other", () => {
  const place = { home: "/h", folder: "/c", url: "http://127.0.0.1:5100", token: "t", model: "my-model" };
  const settings = JSON.parse(geminiCli.files(place)[".gemini/settings.json"]);
  const overrides = settings.modelConfigs.customOverrides as {
    match: { overrideScope: string };
    modelConfig: { model: string };
  }[];
  expect(overrides.map(({ match }) => match.overrideScope)).toContain("core");
  expect(new Set(overrides.map(({ modelConfig }) => modelConfig.model))).toEqual(new Set(["my-model"]));
});
