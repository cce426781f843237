import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToolArguments } from "../../../../src/agents/tools/arguments.ts";

describe("arguments of our tool agents", () => {
  it("are those of a definition's kwargs", () => {
    expect(
      readToolArguments(["--scaffold", "mlab", "--max_steps", "20", "--command_seconds", "60"]),
    ).toMatchObject({
      scaffold: "mlab",
      maxSteps: 20,
      commandSeconds: 60,
      ignored: [],
      unknown: [],
    });
  });

  it("may be mlagentbench's", () => {
    const given = [
      "--agent-max-steps",
      "2000",
      "--max-time",
      "86400",
      "--max-retries",
      "10",
      "--llm-name",
      "gpt-4o",
    ];
    expect(readToolArguments([...given, "--edit-script-llm-name", "gpt-4o", "--interactive"])).toMatchObject({
      maxSteps: 2000,
      maxSeconds: 86_400,
      maxIdle: 10,
      ignored: ["llm_name", "edit_script_llm_name", "interactive"],
    });
  });

  it("may be opendevin's", () => {
    const given = [
      "--agent",
      "CodeActAgent",
      "--model",
      "gpt-4o",
      "--max_time_in_hours",
      "24",
      "--max_steps=500",
    ];
    expect(readToolArguments([...given, "--shm_size", "100G"])).toMatchObject({
      scaffold: "codeact",
      maxSteps: 500,
      maxSeconds: 86_400,
      ignored: ["model", "shm_size"],
      unknown: [],
    });
  });

  it("are never an error: what means nothing is named", () => {
    expect(readToolArguments(["--colour", "red", "--max_steps", "many", "left"])).toMatchObject({
      maxSteps: 200,
      unknown: ["--colour", "--max_steps", "left"],
    });
    fc.assert(
      fc.property(fc.array(fc.string()), (given) => {
        const read = readToolArguments(given);
        expect(read.maxSteps).toBeGreaterThan(0);
        expect(read.commandSeconds).toBeGreaterThan(0);
      }),
    );
  });
});
