import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canTest, makeRig, type Rig } from "./sandbox-rig.ts";

const cases = [
  { kind: "bubblewrap", system: "the host's system" },
  { kind: "bubblewrap", system: "a chosen root" },
  { kind: "podman", system: "an image" },
] as const;

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const usable = await Promise.all(cases.map(async (each) => ({ ...each, can: await canTest(each.kind) })));

for (const { kind, system, can } of usable) {
  describe.skipIf(!can)(`${kind} with ${system}`, () => {
    const root = () => (system === "a chosen root" ? { rootFolder: rig.root } : {});

    it.each([{ asRoot: false }, { asRoot: true }])(
      "no file of the host can be found from inside (root: $asRoot)",
      async ({ asRoot }) => {
        const marker = `planted-${process.pid}-${Date.now()}`;
        const folders = [os.homedir(), os.tmpdir(), "/var/tmp", "/opt", process.cwd()];
        const planted = folders.map((folder) => path.join(folder, `${marker}.txt`));
        for (const file of planted) fs.writeFileSync(file, marker);
        try {
          const { stdout, exit } = await rig.run(
            kind,
            `find / -name '${marker}*' 2>/dev/null
             for pid in /proc/[0-9]*; do ls -d $pid/root${os.homedir()}/${marker}* $pid/cwd/${marker}* 2>/dev/null; done
             ls ${process.cwd()} 2>/dev/null; cat /etc/shadow 2>/dev/null
             (echo "$(cat /proc/sys/kernel/core_pattern)" > /proc/sys/kernel/core_pattern) 2>/dev/null && echo sysctl
             mknod /tmp/disk b 254 0 2>/dev/null && echo device; mount -t tmpfs none /mnt 2>/dev/null && echo mount
             ${kind === "bubblewrap" ? "unshare -Ur true 2>/dev/null && echo user namespace" : ""}
             echo searched`,
            { ...root(), asRoot },
          );
          expect(stdout).toBe("searched\n");
          expect(exit).toEqual({ kind: "exited", code: 0 });
        } finally {
          for (const file of planted) fs.rmSync(file);
        }
      },
    );

    it("data is readable but not writable, and the writable folder keeps what was written", async () => {
      const data = fs.mkdtempSync(path.join(rig.folder, "data-"));
      const out = fs.mkdtempSync(path.join(rig.folder, "out-"));
      fs.chmodSync(data, 0o755);
      fs.writeFileSync(path.join(data, "train.csv"), "id,label\n1,0\n");
      const { stdout } = await rig.run(
        kind,
        `cat /home/data/train.csv; echo x > /home/data/train.csv || echo no write; touch /home/data/new || echo no new
         mount -o remount,rw /home/data 2>/dev/null || echo no remount; chmod 777 /home/data 2>/dev/null || echo no chmod
         echo done > /home/submission/submission.csv; touch /usr/bin/x 2>/dev/null || echo no system`,
        {
          ...root(),
          workingFolder: "/home",
          mounts: [
            { host: data, inside: "/home/data", mode: "read-only" },
            { host: out, inside: "/home/submission", mode: "read-write" },
          ],
        },
      );
      expect(stdout).toBe("id,label\n1,0\nno write\nno new\nno remount\nno chmod\nno system\n");
      expect(fs.readFileSync(path.join(data, "train.csv"), "utf8")).toBe("id,label\n1,0\n");
      expect(fs.readFileSync(path.join(out, "submission.csv"), "utf8")).toBe("done\n");
    });

    it("the agent is user 1000 without capabilities, sees its own processes only and just its environment", async () => {
      const { stdout, policy } = await rig.run(
        kind,
        `id -u; grep -c 'CapEff:.0000000000000000' /proc/self/status; grep NoNewPrivs /proc/self/status
         ls -d /proc/[0-9]* | wc -l; env | grep -c -i -E 'npm|vitest|HOSTNAME_OF_HOST'; ls /proc/$$/fd | wc -w
         echo "$(cat /proc/sys/kernel/core_pattern)" > /proc/sys/kernel/core_pattern || echo no sysctl; date -s 2001-01-01 >/dev/null 2>&1 || echo no clock`,
        { ...root(), env: { PATH: "/usr/bin:/bin", LLM_KEY: "secret" } },
      );
      const [user, capabilities, privileges, processes, ...rest] = stdout.trim().split("\n");
      expect([user, capabilities, privileges]).toEqual(["1000", "1", "NoNewPrivs:\t1"]);
      expect(Number(processes)).toBeLessThan(6);
      expect(rest.map((line) => line.trim())).toEqual(["0", expect.any(String), "no sysctl", "no clock"]);
      expect(policy.user).toMatchObject({ inside: 1000, capabilities: "none", mayGainPrivileges: false });
    });

    it("there is no network, except the forwarded port, which reaches the host's socket", async () => {
      const seen: string[] = [];
      const socket = path.join(rig.folder, `v-${kind}-${system.length}.sock`);
      const server = net.createServer((client) => {
        client.on("error", () => {});
        client.on("data", (chunk) => {
          seen.push(String(chunk));
          client.end(`answer to ${chunk}`);
        });
      });
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      const outside = net.createServer((client) => client.end("the host")).listen(0, "127.0.0.1");
      await new Promise((resolve) => outside.once("listening", resolve));
      const { port } = outside.address() as net.AddressInfo;
      const connect = (address: string) =>
        `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr => "${address}", Timeout => 3) or exit print "refused\\n"; print $s "question"; print <$s>, "\\n"'`;
      const { stdout } = await rig.run(
        kind,
        [
          connect("127.0.0.1:5000"),
          connect("localhost:5000"),
          connect(`127.0.0.1:${port}`),
          connect("1.1.1.1:80"),
        ].join("\n"),
        { ...root(), forwards: [{ port: 5000, socket }] },
      );
      outside.close();
      server.close();
      expect(stdout).toBe("answer to question\nanswer to question\nrefused\nrefused\n");
      expect(seen).toEqual(["question", "question"]);
    });

    it("an allow-list is the proxy and nothing else", async () => {
      const proxySocket = path.join(rig.folder, `p-${kind}-${system.length}.sock`);
      const server = net.createServer((client) => client.end("the proxy\n"));
      await new Promise<void>((resolve) => server.listen(proxySocket, resolve));
      const { stdout, policy } = await rig.run(
        kind,
        `echo $https_proxy; perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:3128") or die; print <$s>'`,
        { ...root(), network: { mode: "allow-list", proxySocket } },
      );
      server.close();
      expect(stdout).toBe("http://127.0.0.1:3128\nthe proxy\n");
      expect(policy.network).toEqual({ mode: "allow-list", forwardedPorts: [3128] });
    });
  });
}
