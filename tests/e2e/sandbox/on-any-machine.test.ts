import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ENVIRONMENT_PACKAGES } from "../../../src/sandbox/container/environment.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import { createCgroup } from "../../../src/sandbox/limits/cgroup.ts";
import { findCgroupLayout } from "../../../src/sandbox/limits/cgroup-layout.ts";
import { bytesOnDisk } from "../../../src/sandbox/limits/disk-use.ts";
import {
  cgroupAbilities,
  cgroupCapabilities,
  decideLimits,
  POLLED_BY,
} from "../../../src/sandbox/limits/limit-policy.ts";
import { EnforcedPolicy, type SandboxRequest } from "../../../src/sandbox/sandbox.ts";

const folders: string[] = [];
const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-any-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function request(folder: string, changes: Partial<SandboxRequest>): SandboxRequest {
  return {
    command: ["true"],
    env: { PATH: "/usr/bin:/bin" },
    workingFolder: folder,
    mounts: [],
    network: { mode: "none" },
    forwards: [],
    limits: {},
    gpus: [],
    stdout: path.join(folder, "out"),
    stderr: path.join(folder, "err"),
    identity: `any-${process.pid}`,
    ...changes,
  };
}

describe("a request that makes no sense is refused by every sandbox, before anything starts", () => {
  const cases: [string, Partial<SandboxRequest>, string][] = [
    ["an identity that could leave its folder", { identity: "../etc" }, "cannot name a sandbox"],
    ["no command", { command: [] }, "no command"],
    ["a NUL in an argument", { command: ["a\0b"] }, "NUL"],
    [
      "a mount that is not there",
      { mounts: [{ host: "/no/such", inside: "/home/data", mode: "read-only" }] },
      "/no/such",
    ],
    [
      "a port twice",
      {
        forwards: [
          { port: 5000, socket: "a" },
          { port: 5000, socket: "b" },
        ],
      },
      "twice",
    ],
  ];
  it.each(cases)("%s", async (_, changes, message) => {
    const folder = newFolder();
    for (const sandbox of Object.values(sandboxes)) {
      const outcome = await sandbox.start(request(folder, changes));
      expect(outcome).toMatchObject({ status: "refused", code: "BAD_REQUEST", blame: "user" });
      expect((outcome as { message: string }).message).toContain(message);
    }
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe("limits", () => {
  const without = {
    ...cgroupAbilities(null, {}),
    diskBytes: { enforcement: "polled", by: POLLED_BY, nextStep: "x" },
  } as const;

  it("a wish that cannot be enforced is recorded as what it is", () => {
    const outcome = decideLimits(
      { memoryBytes: { value: 1e9, required: false }, cpus: { value: 2, required: false } },
      without,
    );
    expect(outcome).toMatchObject({
      status: "decided",
      limits: {
        memoryBytes: { value: 1e9, enforcement: "polled" },
        cpus: { value: 2, enforcement: "not enforced" },
        processes: { value: null },
      },
    });
  });

  it("a requirement that cannot be enforced is refused with the command that would help", () => {
    const outcome = decideLimits({ cpus: { value: 2, required: true } }, without);
    expect(outcome).toMatchObject({
      status: "refused",
      code: "LIMIT_NOT_ENFORCEABLE",
      nextStep: expect.stringContaining("systemd-run"),
    });
  });

  it.each([0, -1, Number.NaN])("a limit of %s is refused", (value) => {
    expect(decideLimits({ memoryBytes: { value, required: false } }, without)).toMatchObject({
      code: "BAD_REQUEST",
    });
  });
});

it.each([
  ["memoryBytes", 2 ** 20 - 1],
  ["processes", 1],
])("a limit of %s in which nothing could start is refused, and the least is named", (name, value) => {
  const abilities = {
    ...cgroupAbilities(null, {}),
    diskBytes: { enforcement: "polled", by: "x", nextStep: "x" },
  } as const;
  const refused = decideLimits({ [name]: { value, required: false } }, abilities);
  expect(refused).toMatchObject({
    code: "BAD_REQUEST",
    blame: "user",
    nextStep: expect.stringMatching(/at least/),
  });
  expect(decideLimits({ [name]: { value: value + 1, required: false } }, abilities)).toMatchObject({
    status: "decided",
  });
});

describe("cgroup v2", () => {
  /** A hierarchy of plain files; it obeys every write, as the kernel does not. */
  function hierarchy(group: string, controllers: string): string {
    const mount = newFolder();
    fs.mkdirSync(path.join(mount, group), { recursive: true });
    fs.writeFileSync(path.join(mount, "cgroup.controllers"), "");
    fs.writeFileSync(path.join(mount, group, "cgroup.controllers"), controllers);
    fs.writeFileSync(path.join(mount, group, "cgroup.subtree_control"), "");
    return mount;
  }

  it("our own leaf is not taken for the group that is ours, however often we look", () => {
    const mount = hierarchy("user.slice/run.scope", "cpu memory pids");
    fs.mkdirSync(path.join(mount, "user.slice/run.scope/mlebench-harness"));
    const mounts = `cgroup2 ${mount} cgroup2 rw 0 0\n`;
    expect(findCgroupLayout(mounts, "0::/user.slice/run.scope/mlebench-harness\n")).toMatchObject({
      mount,
      folder: path.join(mount, "user.slice/run.scope"),
    });
  });

  it("a session without the cpu controller still limits memory and processes", () => {
    const mount = hierarchy("session", "memory pids");
    const layout = findCgroupLayout(`cgroup2 ${mount} cgroup2 rw 0 0\n`, "0::/session\n");
    expect(layout).toMatchObject({ limitsCpu: false });
    expect(cgroupCapabilities(layout)).toEqual({
      memoryBytes: "enforced",
      cpus: "not enforced",
      processes: "enforced",
    });
    expect(fs.readFileSync(path.join(mount, "session/cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  });

  it("a session without the memory controller has nothing to offer", () => {
    const mount = hierarchy("session", "cpu pids");
    expect(findCgroupLayout(`cgroup2 ${mount} cgroup2 rw 0 0\n`, "0::/session\n")).toBeNull();
  });

  it("a delegated group is used, its controllers are switched on and the limits written in v2's words", () => {
    const mount = hierarchy("user.slice", "cpuset cpu io memory pids");
    const layout = findCgroupLayout(`cgroup2 ${mount} cgroup2 rw 0 0\n`, "0::/user.slice\n");
    expect(layout).toEqual({
      version: "cgroup v2",
      mount,
      folder: path.join(mount, "user.slice"),
      limitsCpu: true,
    });
    expect(fs.readFileSync(path.join(mount, "user.slice/cgroup.subtree_control"), "utf8")).toBe(
      "+memory +pids +cpu",
    );
    const limits = {
      memoryBytes: { value: 1e9, required: true },
      cpus: { value: 1.5, required: true },
      processes: { value: 64, required: true },
    };
    const cgroup = layout && createCgroup(layout, "one", limits);
    expect(cgroup?.path).toBe("/user.slice/mlebench-one");
    expect(cgroup?.enforced).toEqual(new Set(["memoryBytes", "cpus", "processes"]));
    const file = (name: string) => path.join(mount, "user.slice/mlebench-one", name);
    const written = ["memory.max", "memory.swap.max", "memory.oom.group", "cpu.max", "pids.max"];
    expect(written.map((name) => fs.readFileSync(file(name), "utf8"))).toEqual([
      "1000000000",
      "0",
      "1",
      "150000 100000",
      "64",
    ]);
    fs.writeFileSync(file("memory.peak"), "4096\n");
    fs.writeFileSync(file("memory.events"), "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n");
    fs.writeFileSync(file("cpu.stat"), "usage_usec 2500000\nuser_usec 1\n");
    expect(cgroup?.peakMemoryBytes()).toBe(4096);
    expect(cgroup?.outOfMemoryKills()).toBe(2);
    expect(cgroup?.memoryLimitHit()).toBe(true);
    expect(cgroup?.cpuSeconds()).toBe(2.5);
  });

  it("a machine without cgroups we may write to has none", () => {
    expect(findCgroupLayout("tmpfs /tmp tmpfs rw 0 0\n", "")).toBeNull();
    expect(findCgroupLayout("cgroup2 /proc cgroup2 ro 0 0\n", "0::/\n")).toBeNull();
  });
});

describe("a plain process", () => {
  it("sees mounted folders and forwarded ports under the host's names", async () => {
    const folder = newFolder();
    const socket = path.join(folder, "v.sock");
    const server = net.createServer((client) => client.end("the server\n"));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const script =
      'const [h, p] = process.env.URL.slice(7).split(":"); require("net").connect(p, h).on("data", d => console.log(String(d).trim(), process.env.DATA_DIR, process.cwd()))';
    const asked = request(folder, {
      command: [process.execPath, "-e", script],
      env: { PATH: "/usr/bin:/bin", URL: "http://localhost:5000", DATA_DIR: "/home/data/inner" },
      workingFolder: "/home/data",
      mounts: [{ host: folder, inside: "/home/data", mode: "read-only" }],
      forwards: [{ port: 5000, socket }],
      identity: `any-process-${process.pid}`,
    });
    const outcome = await sandboxes.process.start(asked);
    if (outcome.status === "refused") throw new Error(outcome.message);
    expect(await outcome.running.wait()).toEqual({ kind: "exited", code: 0 });
    server.close();
    expect(fs.readFileSync(asked.stdout, "utf8")).toBe(`the server ${folder}/inner ${folder}\n`);
    expect(EnforcedPolicy.parse(outcome.policy)).toMatchObject({
      network: { mode: "not restricted" },
      mounts: [{ mode: "read-write" }],
    });
  });

  it("a command that does not exist ends with 127, as in a shell", async () => {
    const folder = newFolder();
    const asked = request(folder, { command: ["no-such-program"], identity: `any-missing-${process.pid}` });
    const outcome = await sandboxes.process.start(asked);
    if (outcome.status === "refused") throw new Error(outcome.message);
    expect(await outcome.running.wait()).toEqual({ kind: "exited", code: 127 });
  });
});

it("disk use counts what a copy of the files takes, sparse ones too, and never follows a link", async () => {
  const folder = newFolder();
  fs.mkdirSync(path.join(folder, "deep"));
  fs.writeFileSync(path.join(folder, "deep/file"), Buffer.alloc(100_000, 1));
  fs.symlinkSync("/usr", path.join(folder, "link"));
  fs.truncateSync(path.join(folder, "deep/file"), 100_000);
  fs.writeFileSync(path.join(folder, "sparse"), "");
  fs.truncateSync(path.join(folder, "sparse"), 10 ** 9);
  const bytes = await bytesOnDisk([folder]);
  expect(bytes).toBeGreaterThanOrEqual(10 ** 9 + 100_000);
  expect(bytes).toBeLessThan(10 ** 9 + 200_000);
});

it("disk use counts files that no path reaches, and more of them than a list should hold", async () => {
  const folder = newFolder();
  const deep = `for (1 .. 30) { mkdir "d" x 200; chdir "d" x 200 or die } open F, ">", "f"; truncate F, 1_000_000_000`;
  execFileSync("perl", ["-e", deep], { cwd: folder });
  expect(await bytesOnDisk([folder])).toBeGreaterThanOrEqual(10 ** 9);
  execFileSync("rm", ["-rf", path.join(folder, "d".repeat(200))]);
  const many = newFolder();
  execFileSync("perl", ["-e", `for (1 .. 6_000) { open F, ">", $_ }`], { cwd: many });
  expect(await bytesOnDisk([folder, many])).toBeGreaterThanOrEqual(6000 * 512);
});

it.each([
  ["there is no du", null],
  ["du knows no such options", "#!/bin/sh\nexit 1\n"],
  [
    "only some of them are known",
    '#!/bin/sh\ncase "$*" in *-B1\\ --?*) exit 1;; esac; printf "1\\ttotal\\n"\n',
  ],
])("disk use counts thousands of entries where %s", async (_, program) => {
  const [folder, programs] = [newFolder(), newFolder()];
  execFileSync(
    "perl",
    ["-e", `for (1 .. 6_000) { open F, ">", $_ } open F, ">", "\\xff"; truncate F, 1_000_000_000`],
    {
      cwd: folder,
    },
  );
  if (program !== null) fs.writeFileSync(path.join(programs, "du"), program, { mode: 0o755 });
  vi.stubEnv("PATH", programs);
  try {
    expect(await bytesOnDisk([folder])).toBeGreaterThanOrEqual(10 ** 9 + 6000 * 512);
  } finally {
    vi.unstubAllEnvs();
  }
});

it("disk use counts a file whose name is no text", async () => {
  const folder = newFolder();
  execFileSync("perl", ["-e", `open F, ">", "\\xff"; truncate F, 1_000_000_000`], { cwd: folder });
  expect(await bytesOnDisk([folder])).toBeGreaterThanOrEqual(10 ** 9);
});

it.each(["light", "heavy"] as const)(
  "the Containerfile and `env build --%s` install the same packages",
  (weight) => {
    const list = path.join(import.meta.dirname, `../../../containers/packages-${weight}.txt`);
    expect(fs.readFileSync(list, "utf8")).toBe(`${ENVIRONMENT_PACKAGES[weight].join("\n")}\n`);
  },
);
