import fs from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { nodeRuntime } from "../../../src/agents/kit/node-runtime.ts";
import { engineProfile } from "../../../src/sandbox/system-calls/profile.ts";
import {
  CONDITIONAL_CALLS,
  knownArchitecture,
  REFUSED_CALLS,
} from "../../../src/sandbox/system-calls/refused.ts";
import { canTest, makeRig, type Rig } from "./sandbox-rig.ts";

const architecture = knownArchitecture();
let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = await Promise.all(
  (["bubblewrap", "podman"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

/** One line a call: its name and the error's number, 0 when it was let through. */
const probe = (calls: readonly { name: string; args: string }[]) =>
  `perl -e '${calls
    .map(({ name, args }) => `$! = 0; print "${name} ", (syscall(${args}) == -1 ? $! + 0 : 0), "\\n";`)
    .join("")}'`;

for (const { kind, can } of kinds) {
  describe.skipIf(!can || architecture === null)(`from inside ${kind}`, () => {
    const numbers = architecture ?? "x64";

    it("every call of the list is refused, as root too", async () => {
      const listed = REFUSED_CALLS.filter((call) => call[numbers] !== null);
      const calls = listed.map((call) => ({ name: call.name, args: `${call[numbers]}, 0, 0, 0, 0, 0` }));
      for (const asRoot of [false, true]) {
        const { stdout, policy } = await rig.run(kind, probe(calls), { asRoot });
        const lines = stdout.trim().split("\n");
        expect(lines).toHaveLength(listed.length);
        // A name that the engine's library does not know yet is left to its default, which is to refuse.
        for (const [index, { name, errno }] of listed.entries())
          expect([`${name} ${errno}`, ...(kind === "podman" ? [`${name} 38`] : [])]).toContain(lines[index]);
        expect(policy.systemCalls).toEqual({ filtered: true, by: expect.stringContaining("seccomp") });
      }
    });

    it("sockets of unusual families, terminals' input and new namespaces are refused by their arguments", async () => {
      const { socket, socketpair, ioctl, clone } = CONDITIONAL_CALLS;
      const refused = [
        // AF_PACKET, AF_BLUETOOTH, AF_ALG, AF_VSOCK, AF_XDP; the kernel looks at the lower half only.
        ...[17, 31, 38, 40, 44, 2 ** 32 + 38].map((family) => ({
          ...{ name: "socket", args: `${socket[numbers]}, ${family}, 3, 0` },
        })),
        { name: "socketpair", args: `${socketpair[numbers]}, 38, 1, 0, 0` },
        ...[0x5412, 0x541c, 2 ** 32 + 0x5412].map((request) => ({
          ...{ name: "ioctl", args: `${ioctl[numbers]}, 0, ${request}, 0` },
        })),
        ...[0x10000000, 0x20000000, 0x40000000, 0x00020000].map((flag) => ({
          ...{ name: "clone", args: `${clone[numbers]}, ${flag}, 0, 0, 0, 0` },
        })),
      ];
      const { stdout } = await rig.run(kind, probe(refused));
      const errors = stdout.trim().split("\n");
      expect(errors).toHaveLength(refused.length);
      // An engine's profile has one error for whatever it does not allow.
      for (const [index, line] of errors.entries())
        expect(line).toMatch(new RegExp(`^${refused[index].name} (1|38|97)$`));
    });

    it("ordinary sockets, terminals' questions, threads and unknown requests go on as before", async () => {
      const { socket, ioctl } = CONDITIONAL_CALLS;
      const calls = [
        ...[1, 2, 16].map((family) => ({ name: "socket", args: `${socket[numbers]}, ${family}, 2, 0` })),
        // FIONREAD and TCGETS on something that is not a terminal; one bit beside TIOCSTI.
        ...[0x541b, 0x5401, 0x5413, 0x5410].map((request) => ({
          ...{ name: "ioctl", args: `${ioctl[numbers]}, 0, ${request}, 0` },
        })),
      ];
      const { stdout } = await rig.run(kind, `${probe(calls)}; (sleep 0; echo forked) & wait`);
      const lines = stdout.trim().split("\n");
      expect(lines.slice(0, 3)).toEqual(["socket 0", "socket 0", "socket 0"]);
      for (const line of lines.slice(3, 7)) expect(line).not.toBe("ioctl 1");
      expect(lines.at(-1)).toBe("forked");
    });

    it("calls newer than the list, and those of 32-bit programs, do not exist", async () => {
      const { stdout } = await rig.run(kind, probe([{ name: "new", args: "600" }]));
      expect(stdout).toBe("new 38\n");
      if (numbers !== "x64") return;
      const { exit, stdout: answer } = await rig.run(kind, probe([{ name: "x32", args: "0x40000000 + 39" }]));
      expect(exit.kind === "signalled" ? exit.signal : answer).toBe(
        kind === "podman" ? "SIGSYS" : "x32 38\n",
      );
    });

    it("Node runs with its threads, children and sockets", async () => {
      const { command, mounts, env } = nodeRuntime();
      const script = `
        const { Worker } = require("node:worker_threads");
        const { spawnSync } = require("node:child_process");
        const server = require("node:net").createServer((c) => c.end("heard")).listen(0, "127.0.0.1", () => {
          require("node:net").connect(server.address().port, "127.0.0.1").on("data", (d) => { console.log(String(d)); server.close(); });
        });
        new Worker("require('node:worker_threads').parentPort.postMessage('threaded')", { eval: true }).on("message", (m) => console.log(m));
        require("node:fs").promises.readFile("/etc/hosts").then(() => console.log("read"));
        console.log(spawnSync("echo", ["spawned"]).stdout.toString().trim());`;
      const asked = { env: { PATH: "/usr/bin:/bin", ...env } };
      const own = rig.request("", asked);
      const { stdout, exit } = await rig.run(kind, "", {
        ...{ ...asked, command: [command, "-e", script] },
        mounts: [...own.mounts, ...mounts.map((mount) => ({ ...mount, mode: "read-only" as const }))],
      });
      expect(exit).toEqual({ kind: "exited", code: 0 });
      expect(stdout.trim().split("\n").sort()).toEqual(["heard", "read", "spawned", "threaded"]);
    });
  });
}

describe.skipIf(!kinds[0].can)("bubblewrap with the host's system", () => {
  it("shows nothing of the session's keys", async () => {
    const { stdout } = await rig.run("bubblewrap", "cat /proc/keys /proc/key-users | wc -c");
    expect(stdout.trim()).toBe("0");
  });

  it.skipIf(!fs.existsSync("/usr/bin/python3"))(
    "Python runs with threads, processes and subprocesses",
    async () => {
      const script = `
import multiprocessing, subprocess, threading, socket
threading.Thread(target=lambda: print("threaded", flush=True)).start()
def square(n): return n * n
with multiprocessing.get_context("fork").Pool(3) as pool: print(sum(pool.map(square, range(10))))
print(subprocess.run(["echo", "spawned"], capture_output=True, text=True).stdout.strip())
socket.socket().close()
try:
    import numpy
    a = numpy.random.default_rng(0).random((300, 300)); print((a @ a).shape)
except ImportError: print("(300, 300)")
`;
      const { stdout, stderr } = await rig.run("bubblewrap", "", {
        command: ["/usr/bin/python3", "-c", script],
      });
      expect(stderr).toBe("");
      expect(stdout.trim().split("\n").sort()).toEqual(["(300, 300)", "285", "spawned", "threaded"].sort());
    },
  );
});

describe("a profile for an engine", () => {
  it("only narrows the engine's own, and stands by itself where the engine shows none", () => {
    const base = JSON.stringify({
      defaultAction: "SCMP_ACT_ERRNO",
      defaultErrnoRet: 38,
      syscalls: [
        { names: ["read", "keyctl", "ioctl"], action: "SCMP_ACT_ALLOW" },
        { names: ["mount"], action: "SCMP_ACT_ALLOW" },
      ],
    });
    const narrowed = JSON.parse(engineProfile(base));
    expect(narrowed.defaultAction).toBe("SCMP_ACT_ERRNO");
    const unconditional = narrowed.syscalls.filter(
      (rule: { action: string; args?: unknown[] }) => rule.action === "SCMP_ACT_ALLOW" && !rule.args?.length,
    );
    expect(unconditional).toEqual([{ names: ["read"], action: "SCMP_ACT_ALLOW" }]);
    for (const unusable of [
      null,
      "",
      "{}",
      JSON.stringify({ defaultAction: "SCMP_ACT_ALLOW", syscalls: [] }),
    ]) {
      const own = JSON.parse(engineProfile(unusable));
      expect(own.defaultAction).toBe("SCMP_ACT_ALLOW");
      const names = own.syscalls.flatMap((rule: { names: string[] }) => rule.names);
      for (const name of ["keyctl", "mount", "socket", "ioctl", "clone"]) expect(names).toContain(name);
    }
  });
});
