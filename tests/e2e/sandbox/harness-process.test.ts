import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import type { SandboxRequest } from "../../../src/sandbox/sandbox.ts";
import { relays, writers } from "./relay.ts";
import { canTest, harnessProgram, makeRig, type Rig, tracesOf, until } from "./sandbox-rig.ts";

const NOBODY = 65534;

let rig: Rig;
let harness: string;
beforeAll(async () => {
  rig = makeRig();
  harness = await harnessProgram(rig);
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = await Promise.all(
  (["bubblewrap", "podman", "process"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

for (const { kind, can } of kinds) {
  describe.skipIf(!can)(`${kind} whose harness is killed`, () => {
    it("destroyLeftovers ends and removes everything, and keeps what the agent wrote", async () => {
      const limits = {
        memoryBytes: { value: 2 ** 28, required: false },
        diskBytes: { value: 2 ** 25, required: kind !== "process" },
      };
      const asked = rig.request(
        "echo 1,2 > submission.csv; (setsid sleep 300 >/dev/null 2>&1 &); echo ready; sleep 300",
        { limits },
      );
      const child = spawn(process.execPath, [harness, kind, JSON.stringify(asked)], { stdio: "pipe" });
      await until(
        () => fs.existsSync(asked.stdout) && fs.readFileSync(asked.stdout, "utf8") === "ready\n",
        "the agent",
      );
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(tracesOf(asked.identity)).not.toEqual([]);
      await sandboxes[kind].destroyLeftovers(asked.identity);
      expect(tracesOf(asked.identity)).toEqual([]);
      expect(fs.readFileSync(path.join(asked.mounts[0].host, "submission.csv"), "utf8")).toBe("1,2\n");
      await sandboxes[kind].destroyLeftovers(asked.identity);
    });
  });
}

describe.skipIf(process.getuid?.() !== 0)("a harness whose temporary folder only root can pass", () => {
  it.each(kinds.filter(({ kind, can }) => can && kind !== "podman"))(
    "still starts what it isolates: $kind",
    async ({ kind }) => {
      const own = path.join(rig.folder, `own-${kind}`, "tmp");
      fs.mkdirSync(own, { recursive: true });
      fs.chmodSync(path.dirname(own), 0o700);
      const asked = rig.request("echo hello > said");
      const child = spawn(process.execPath, [harness, kind, JSON.stringify(asked)], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, TMPDIR: own },
      });
      let text = "";
      child.stdout.on("data", (chunk) => {
        text += chunk;
      });
      await once(child, "close");
      expect(text).toContain('"exit":{"kind":"exited","code":0}');
      expect(fs.readFileSync(path.join(asked.mounts[0].host, "said"), "utf8")).toBe("hello\n");
    },
  );
});

describe.skipIf(process.getuid?.() !== 0)("a harness without any privilege", () => {
  async function runAsNobody(kind: SandboxKind, request: SandboxRequest, relayFile?: string) {
    fs.chownSync(request.mounts[0].host, NOBODY, NOBODY);
    for (const file of [request.stdout, request.stderr]) {
      fs.writeFileSync(file, "");
      fs.chownSync(file, NOBODY, NOBODY);
    }
    const options = {
      stdio: "pipe",
      uid: NOBODY,
      gid: NOBODY,
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
    } as const;
    const child = spawn(
      process.execPath,
      [harness, kind, JSON.stringify(request), ...(relayFile === undefined ? [] : [relayFile])],
      options,
    );
    let [text, errors] = ["", ""];
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    await once(child, "close");
    expect(errors).toBe("");
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  it.skipIf(!kinds[0].can)(
    "still isolates with bubblewrap, forwards ports, and polls what it cannot enforce",
    async () => {
      const socket = path.join(rig.folder, "nobody.sock");
      const server = net.createServer((client) => client.end("the server\n"));
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      fs.chmodSync(socket, 0o777);
      const asked = rig.request(
        `id -u; ls ${rig.folder} 2>/dev/null; perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:5000") or die; print <$s>'
       perl -e 'my $x = "x" x 150_000_000; sleep 60'`,
        {
          forwards: [{ port: 5000, socket }],
          limits: { memoryBytes: { value: 100 * 2 ** 20, required: false } },
        },
      );
      const [started, ended] = await runAsNobody("bubblewrap", asked);
      server.close();
      expect(fs.readFileSync(asked.stdout, "utf8")).toBe("1000\nthe server\n");
      expect(started.policy.limits.memoryBytes).toMatchObject({ enforcement: "polled" });
      expect(started.policy.user).toMatchObject({ inside: 1000, outside: NOBODY });
      expect(ended.exit).toEqual({ kind: "out-of-memory" });
    },
  );

  // A namespace is stopped in one step, however many relays there are. A plain process has none: its tree is stopped one
  // by one, which a relay may outrun (what it writes then does not count: submission-watch.test.ts).
  it.each([
    { kind: "bubblewrap" as const, what: "twenty relays of forks", script: relays(20), can: kinds[0].can },
    { kind: "process" as const, what: "five writers", script: writers(5), can: true },
  ])("freezes $what in $kind without a cgroup", async ({ kind, script, can }) => {
    if (!can) return;
    const asked = rig.request(script);
    const [started, frozen] = await runAsNobody(kind, asked, asked.mounts[0].host);
    expect(started.status).toBe("started");
    if (kind === "bubblewrap") expect(started.policy.systemCalls).toMatchObject({ filtered: true });
    expect(frozen.relay).toMatchObject({ ranBefore: true, stoodStill: true, ranAfter: true });
  });

  it.skipIf(!kinds[0].can)("refuses an explicit limit it cannot enforce, and says how it could", async () => {
    const asked = rig.request("true", { limits: { memoryBytes: { value: 2 ** 28, required: true } } });
    const [outcome] = await runAsNobody("bubblewrap", asked);
    expect(outcome).toMatchObject({ status: "refused", code: "LIMIT_NOT_ENFORCEABLE", blame: "host" });
    expect(outcome.nextStep).toContain("systemd-run");
  });

  it("runs a plain process, polls its limits and ends its daemons", async () => {
    const asked = rig.request(
      "(setsid sleep 300 >/dev/null 2>&1 &); echo $MLEBENCH_SANDBOX; pwd; for i in 1 2 3 4 5 6 7 8 9; do sleep 300 & done; wait",
      { limits: { processes: { value: 8, required: false } } },
    );
    const [started, ended] = await runAsNobody("process", asked);
    expect(started.policy.isolation.files).toBe(false);
    expect(started.policy.limits.processes.enforcement).toBe("polled");
    expect(ended.exit).toEqual({ kind: "too-many-processes" });
    expect(fs.readFileSync(asked.stdout, "utf8")).toBe(`${asked.identity}\n${asked.mounts[0].host}\n`);
  });
});
