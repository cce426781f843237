import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import { canTest, makeRig, type Rig, startOf, until } from "./sandbox-rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = await Promise.all(
  (["bubblewrap", "podman", "process"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

/** Values that mean something to shells, engines, loaders and the files variables travel in. */
const ODD_VALUES: Record<string, string> = {
  SHELLISH: `$(touch /tmp/x) \`id\` "quoted" 'single' \\ $HOME ; & | # end`,
  LINES: "first\nsecond\r\n\n'third'\n",
  SPACES: "  both sides\t ",
  EMPTY: "",
  EQUALS: "a=b==c",
  LONG: "x".repeat(100_000),
  UNICODE: "schön ☃",
};

for (const { kind, can } of kinds) {
  describe.skipIf(!can)(`an agent's variables in ${kind}`, () => {
    it("arrive as they are, whatever they hold", async () => {
      const { stdout, exit } = await rig.run(
        kind,
        `perl -e 'for (split / /, $ENV{NAMES}) { print unpack("H*", $ENV{$_} // "-"), "\\n" }'`,
        { env: { PATH: "/usr/bin:/bin", NAMES: Object.keys(ODD_VALUES).join(" "), ...ODD_VALUES } },
      );
      expect(exit).toEqual({ kind: "exited", code: 0 });
      const seen = stdout
        .trimEnd()
        .split("\n")
        .map((hex) => Buffer.from(hex, "hex").toString());
      expect(seen).toEqual(Object.values(ODD_VALUES));
    });

    it("run nothing on the host, and reach no engine and no loader there", async () => {
      const trap = path.join(rig.folder, `trap-${kind}`);
      const code = `$(touch ${trap})`;
      const library = path.join(rig.folder, "no-such-library.so");
      const { exit, stderr } = await rig.run(kind, "exit 0", {
        env: {
          ...{ PATH: "/usr/bin:/bin", BASH_ENV: code, ENV: code, PS4: code, SHELLOPTS: "xtrace" },
          ...{ LD_PRELOAD: library, CONTAINERS_CONF: library, DOCKER_HOST: `unix://${library}` },
          ...{ PERL5OPT: `-Mno_such_module`, NODE_OPTIONS: `--require ${library}` },
        },
      });
      expect(exit).toEqual({ kind: "exited", code: 0 });
      expect(fs.existsSync(trap)).toBe(false);
      // The loader complains once for each program that starts with the variable: only the agent's own may.
      expect(stderr.split("\n").filter((line) => line.includes("no-such-library")).length).toBeLessThan(2);
    });

    it.each(["*", "BASH_FUNC_ulimit%%", "A B", "A=B", "1A", "", "A-B", "-e"])(
      "are refused when one is called %j",
      async (name) => {
        const outcome = await sandboxes[kind].start(rig.request("exit 0", { env: { [name]: "x" } }));
        expect(outcome).toMatchObject({ status: "refused", code: "BAD_REQUEST", blame: "user" });
        expect((outcome as { message: string }).message).toContain(JSON.stringify(name));
      },
    );

    it("hold none of the host's", async () => {
      process.env.MLEBENCH_TEST_HOST_KEY = "of-the-host";
      process.env.https_proxy = "http://user:of-the-host@proxy.invalid:1";
      try {
        const { stdout } = await rig.run(kind, "env");
        expect(stdout).not.toContain("of-the-host");
      } finally {
        delete process.env.MLEBENCH_TEST_HOST_KEY;
        delete process.env.https_proxy;
      }
    });

    it("and secret arguments are shown to nobody on the host, and their files read by nobody else", async () => {
      const secret = `secret-${kind}-${process.pid}`;
      const inside = "/run/mlebench/secrets/KEY";
      const asked = rig.request("", {
        command: ["sh", "-c", 'cat "$1"; touch /home/work/started; sleep 30', "sh", inside],
        env: { PATH: "/usr/bin:/bin", KEY: secret },
        secretFiles: [{ inside, content: secret }],
        ...(kind === "process" ? { command: ["sh", "-c", "cat $0; touch started; sleep 30", inside] } : {}),
      });
      const { running } = await startOf(kind, asked);
      await until(() => fs.existsSync(path.join(asked.mounts[0].host, "started")), "the agent");
      const listed = spawnSync("ps", ["axww", "-o", "args"], { encoding: "utf8" }).stdout;
      const readable = spawnSync(
        "find",
        [path.join("/tmp", `mlebench-sandboxes-${process.getuid?.()}`), "-type", "f", "-perm", "/077"],
        { encoding: "utf8" },
      ).stdout;
      await running.kill();
      expect(listed).not.toContain(secret);
      expect(fs.readFileSync(asked.stdout, "utf8")).toBe(secret);
      for (const file of readable.split("\n").filter((name) => name.includes(asked.identity)))
        expect(file).not.toMatch(/secret|environment/);
    });
  });
}

describe.skipIf(!kinds[1].can)("an image's name", () => {
  it.each(["--privileged", "--volume=/:/host", "-v", "a b", ""])("cannot be %j", async (image) => {
    const outcome = await sandboxes.podman.start(rig.request("exit 0", { image }));
    expect(outcome).toMatchObject({ status: "refused", code: "BAD_REQUEST" });
  });
});
