import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentDefinition } from "../../../src/agents/definition/agent.ts";
import { loadAgents, resolveAgent } from "../../../src/agents/definition/load-definitions.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

afterEach(() => vi.unstubAllEnvs());

function agentsFolder(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeText(folder, name, text);
  return folder;
}

function found(id: string, folder: string): AgentDefinition {
  const outcome = resolveAgent(id, [folder]);
  if (outcome.status !== "found") throw new Error(outcome.message);
  return outcome.agent;
}

/** Written after the original's rules: anchors, merge keys, helper maps, secrets, arguments. */
const ORIGINAL = {
  "tree/start.sh": "",
  "tree/Dockerfile": "",
  "tree/config.yaml": `
vars:
  step_count: &step_count 500
  time_limit: &time_limit 86400

defaults: &defaults
  start: tree/start.sh
  dockerfile: tree/Dockerfile
  kwargs_type: omegaconf
  env_vars: &env_vars
    TIME_LIMIT_SECS: *time_limit
    STEP_LIMIT: *step_count

kwargs_common: &kwargs_common
  agent.steps: *step_count
  agent.search.debug_prob: 1.0
  copy_data: False
  note: null

tree:
  <<: *defaults
  kwargs:
    <<: *kwargs_common
    agent.code.model: some-model
  env_vars:
    <<: *env_vars
    API_KEY: \${{ secrets.TREE_TEST_KEY }} dropped

tree/argparse:
  <<: *defaults
  kwargs_type: argparse
  kwargs:
    steps: 8
    list: [1, two, 2.5]
`,
};

describe("a definition of the original", () => {
  test("loads unchanged: anchors, merge keys, arguments as Python writes them", () => {
    vi.stubEnv("TREE_TEST_KEY", "s3cret");
    expect(found("tree", agentsFolder(ORIGINAL))).toEqual({
      id: "tree",
      name: "tree",
      folder: null,
      command: [
        "bash",
        "/home/agent/start.sh",
        "agent.steps=500",
        "agent.search.debug_prob=1.0",
        "copy_data=False",
        "note=None",
        "agent.code.model=some-model",
      ],
      env: { TIME_LIMIT_SECS: "86400", STEP_LIMIT: "500", API_KEY: "s3cret" },
      secrets: ["s3cret"],
      secretFiles: [],
      mounts: [],
      limits: {},
      network: { mode: "none" },
      sandbox: null,
      image: "tree",
      writableRoot: true,
      asksForPrivileges: false,
    });
  });

  test("that asks for variables of ours is said to be given them, by their names alone", () => {
    vi.stubEnv("TREE_TEST_KEY", "s3cret");
    const resolved = resolveAgent("tree", [agentsFolder(ORIGINAL)]);
    const notes = resolved.status === "found" ? resolved.notes.join("\n") : "";
    expect(notes).toContain("tree is given TREE_TEST_KEY from your environment: its definition asks for it");
    expect(notes).not.toContain("s3cret");
  });

  test("with argparse gets one option a value", () => {
    const { command } = found("tree/argparse", agentsFolder(ORIGINAL));
    expect(command.slice(2)).toEqual(["--steps", "8", "--list", "[1, 'two', 2.5]"]);
  });

  test("whose secret is not set is refused, and the variable is named", () => {
    vi.stubEnv("TREE_TEST_KEY", undefined);
    expect(resolveAgent("tree", [agentsFolder(ORIGINAL)])).toMatchObject({
      status: "refused",
      message: "tree needs TREE_TEST_KEY, and the environment has no such variable.",
    });
  });

  test("lists its agents without the helper maps", () => {
    const folder = agentsFolder(ORIGINAL);
    const { agents } = loadAgents([folder]);
    const own = agents.filter((agent) => agent.agentsFolder === folder).map(({ id }) => id);
    expect(own).toEqual(["tree", "tree/argparse"]);
    expect(agents.map(({ id }) => id)).not.toContain("defaults");
  });

  test("that is privileged is refused unless the user accepts it", () => {
    const files = {
      ...ORIGINAL,
      "tree/config.yaml":
        "root:\n  start: tree/start.sh\n  dockerfile: tree/Dockerfile\n  privileged: true\n",
    };
    const folder = agentsFolder(files);
    expect(resolveAgent("root", [folder]).status).toBe("refused");
    vi.stubEnv("I_ACCEPT_RUNNING_PRIVILEGED_CONTAINERS", "T");
    expect(resolveAgent("root", [folder])).toMatchObject({
      status: "found",
      notes: ["root asks for a privileged container; it runs without any privilege", expect.any(String)],
    });
  });

  test("whose start script does not exist is broken, and the script is named", () => {
    const folder = agentsFolder({ "a/config.yaml": "a: { start: a/start.sh, dockerfile: a/Dockerfile }" });
    expect(resolveAgent("a", [folder])).toMatchObject({
      status: "broken",
      message: expect.stringContaining("names a/start.sh"),
    });
  });
});

describe("a definition of ours", () => {
  test.each([
    ["argparse", ["--key", "/run/mlebench/secrets/TREE_TEST_KEY"]],
    ["omegaconf", ["key=/run/mlebench/secrets/TREE_TEST_KEY"]],
  ])("gets a secret argument as a file (%s)", (style, expected) => {
    vi.stubEnv("TREE_TEST_KEY", "s3cret");
    const yaml = `mine: { command: [a], kwargs_type: ${style}, kwargs: { key: "\${{ secrets.TREE_TEST_KEY }}" } }`;
    const agent = found("mine", agentsFolder({ "mine/config.yaml": yaml }));
    expect(agent.command.slice(1)).toEqual(expected);
    expect(agent.secretFiles).toEqual([{ inside: "/run/mlebench/secrets/TREE_TEST_KEY", content: "s3cret" }]);
    expect(agent.secrets).toEqual(["s3cret"]);
  });

  test("has limits with units, a network and a sandbox", () => {
    const folder = agentsFolder({
      "mine/config.yaml": `
mine:
  command: [python3, main.py]
  kwargs: { depth: 3 }
  kwargs_type: argparse
  sandbox: bubblewrap
  limits: { time: 1.5h, memory: 16GiB, cpus: 2, processes: 100, disk: 512MiB, steps: 7 }
  network: { allow-list: [api.example.org, "*.example.com:8443"] }
`,
    });
    expect(found("mine", folder)).toMatchObject({
      folder: path.join(folder, "mine"),
      command: ["python3", "main.py", "--depth", "3"],
      limits: {
        timeSeconds: 5400,
        memoryBytes: 16 * 2 ** 30,
        cpus: 2,
        processes: 100,
        diskBytes: 2 ** 29,
        steps: 7,
      },
      network: { mode: "allow-list", hosts: ["api.example.org", "*.example.com:8443"] },
      sandbox: "bubblewrap",
      image: null,
    });
  });

  test.each([
    ["{}", "a command, an image, or a start script"],
    ["{ command: [] }", "command"],
    ["{ command: [a], limits: { time: soon } }", "24h"],
    ["{ command: [a], limits: { memori: 1GB } }", "memori"],
    ["{ command: [a], network: allow-list }", "allow-list: [host"],
    ["{ command: [a], network: { allow-list: ['http://x/'] } }", "allow-list"],
    ["{ command: [a], kwargs: { b: 1 } }", "kwargs_type"],
    ["{ command: [a], sandbox: chroot }", "sandbox"],
    ["{ command: [a], env_vars: { '*': x } }", '"*" cannot name a variable'],
    ["{ command: [a], env_vars: { 'BASH_FUNC_ulimit%%': '() { id; }' } }", "BASH_FUNC_ulimit%%"],
    ["{ command: [a], env_vars: { ok: 1, 'a=b': x } }", '"a=b"'],
    ["{ runtime: node, start: x }", "runtime"],
    ["just text", "object"],
  ])("%s is broken, and the sentence says why", (text, expected) => {
    const outcome = resolveAgent("a", [agentsFolder({ "a/config.yaml": `a: ${text}` })]);
    expect(outcome).toMatchObject({ status: "broken", message: expect.stringContaining(expected) });
  });
});

describe("finding an agent", () => {
  test("the first file that has the id wins, built-in ones come last", () => {
    const folder = agentsFolder({
      "a/config.yaml": "twice: { command: [first] }",
      "b/config.yaml": "twice: { command: [second] }\nsample: { command: [mine] }",
    });
    expect(found("twice", folder).command).toEqual(["first"]);
    expect(found("sample", folder).command).toEqual(["mine"]);
    expect(found("sample", agentsFolder({})).command[0]).toBe("/run/mlebench/bin/node");
  });

  test("an unknown id says where was looked", () => {
    const folder = agentsFolder({});
    expect(resolveAgent("nobody", [folder])).toMatchObject({
      status: "unknown",
      message: expect.stringContaining(folder),
    });
  });

  test("a file that blows itself up with anchors is broken, not fatal", () => {
    const levels = Array.from({ length: 9 }, (_, i) =>
      i === 0 ? "l0: &l0 [x, x, x, x, x, x, x, x, x, x]" : `l${i}: &l${i} [${Array(10).fill(`*l${i - 1}`)}]`,
    );
    const outcome = resolveAgent("a", [agentsFolder({ "a/config.yaml": levels.join("\n") })]);
    expect(outcome.status).toBe("broken");
  });

  test.each([
    ["holds itself", "a: {command: [x], kwargs_type: argparse, kwargs: &k {x: *k}}", "holds itself"],
    ["holds itself in a list", "a: {command: [x], env_vars: {X: &k [*k]}}", "holds itself"],
    [
      "repeats a long text with aliases",
      `l: &l ${"x".repeat(30_000)}\na: {command: [x], kwargs_type: argparse, kwargs: {x: [${Array(900).fill("*l")}]}}`,
      "too large",
    ],
    ["is longer than any definition", `a: {command: [x]} #${"x".repeat(2 ** 16)}`, "too large"],
    ["has a character that ends texts", 'a: {command: [x, "a\\0b"]}', "NUL"],
    [
      "has an argument that no system takes",
      `l: &l ${"x".repeat(50_000)}\na: {command: [x], env_vars: {LONG: [*l, *l, *l]}}`,
      "the variable LONG has 150017 bytes",
    ],
    ["asks for more time than there is", "a: {command: [x], limits: {time: 1e300}}", "limits.time"],
  ])("a file that %s is broken, and says why", (_, text, why) => {
    const outcome = resolveAgent("a", [agentsFolder({ "a/config.yaml": text })]);
    expect(outcome).toMatchObject({ status: "broken", message: expect.stringContaining(why) });
  });

  test("keys that are no text are nobody's warning", () => {
    const warn = vi.spyOn(process, "emitWarning");
    resolveAgent("a", [agentsFolder({ "a/config.yaml": "? [1, 2]\n: x\na: {command: [x]}" })]);
    expect(warn).not.toHaveBeenCalled();
  });

  test("whatever a file holds, there is an outcome", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "config.yaml");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => `{"a": ${text}}`),
        ),
        (text) => {
          fs.writeFileSync(file, text);
          expect(["broken", "unknown", "found", "refused"]).toContain(resolveAgent("a", [folder]).status);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("a variant of a built-in agent has its program and its arguments, with its own on top", () => {
  const folder = temporaryFolder();
  fs.mkdirSync(path.join(folder, "mine"));
  fs.writeFileSync(
    path.join(folder, "mine/config.yaml"),
    "tree/quick: {extends: tree/aide, kwargs: {agent.steps: 7}}\nlost: {extends: nobody}\n",
  );
  const found = resolveAgent("tree/quick", [folder]);
  if (found.status !== "found") throw new Error(found.message);
  expect(found.agent.command).toEqual(
    expect.arrayContaining(["agent.steps=7", "agent.search.num_drafts=5", "preset=tree/aide"]),
  );
  expect(found.agent).toMatchObject({ id: "tree/quick", name: "tree" });
  expect(found.agent.command.filter((word) => word.startsWith("agent.steps="))).toHaveLength(1);
  expect(resolveAgent("lost", [folder])).toMatchObject({
    status: "broken",
    message: expect.stringContaining("nobody"),
  });
  expect(loadAgents([folder]).agents.map(({ id }) => id)).toContain("tree/quick");
});
