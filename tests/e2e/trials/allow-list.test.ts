import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo, Server } from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCertificate } from "../../../src/trials/certificate/certificate.ts";
import { verifyTrial } from "../../../src/trials/certificate/verify-trial.ts";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import { type Kind, makeMinimalSystem } from "../hostile/minimal-system.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { plan, type RanGroup, runPlanned, scene } from "./setting.ts";

const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));
const { settingsFor, removeImage } = makeMinimalSystem(
  path.join(temporaryFolder(), "system"),
  usable.filter(({ can }) => can).map(({ kind }) => kind),
);
afterAll(removeImage);

const key = randomBytes(32);
const forbiddenServer = http.createServer((_, response) => response.end("you should not be here"));
const plainServer = http.createServer((_, response) => response.end("hello"));
const secureServer = tls.createServer(
  { ciphers: "PSK", maxVersion: "TLSv1.2", pskCallback: () => key },
  (socket) => socket.end("secret hello"),
);
const servers = [plainServer, secureServer, forbiddenServer];
let plain: number;
let secure: number;
let forbidden: number;
beforeAll(async () => {
  [plain, secure, forbidden] = await Promise.all(servers.map(listen));
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** On every address of the host, so that only the sandbox can keep an agent from it. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** How others reach this machine; its loopback where it has no other address. */
function hostAddress(): string {
  const addresses = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

function allowed(): string[] {
  return [`127.0.0.1:${plain}`, `127.0.0.1:${secure}`];
}

async function runProbe(kind: Kind): Promise<RanGroup> {
  const setting = scene("");
  const definition = {
    runtime: "node",
    command: ["/home/agent/agent.mjs"],
    network: { "allow-list": allowed() },
    env_vars: {
      PLAIN: `${plain}`,
      SECURE: `${secure}`,
      FORBIDDEN: `${forbidden}`,
      HOST_ADDRESS: hostAddress(),
      KEY: key.toString("hex"),
    },
  };
  writeText(setting.agentsDir, "probe/config.yaml", JSON.stringify({ probe: definition }));
  fs.copyFileSync("tests/agents/network-probe/agent.mjs", path.join(setting.agentsDir, "probe/agent.mjs"));
  return runPlanned(await plan(setting, { agentId: "probe", sandbox: kind, ...settingsFor(kind) }));
}

for (const { kind, can } of usable) {
  describe.skipIf(!can)(`an allow-list in ${kind}`, () => {
    let ran: RanGroup;
    beforeAll(async () => {
      ran = await runProbe(kind);
    });

    test("lets the agent reach the named hosts, plainly and through a tunnel, and nothing else", () => {
      expect(ran.trial.outcome).toMatchObject({ stopReason: "exited" });
      const found = JSON.parse(fs.readFileSync(path.join(ran.trialFolder, "logs/network.json"), "utf8"));
      expect(found).toEqual({
        plain: "200 hello",
        otherPort: "403 127.0.0.1 is not on the allow-list of this trial.",
        otherHost: "403 mlebench.invalid is not on the allow-list of this trial.",
        tunnel: "200 TLSv1.2 secret hello",
        otherTunnel: "403",
        direct: expect.anything(),
      });
      expect(found.direct).toHaveLength(4);
      expect(found.direct).not.toContain("reached");
    });

    test("is recorded in the events, in the certificate and by verify, attempt by attempt", async () => {
      const { events, certificate } = trialPaths(ran.trialFolder);
      const seen = [
        { host: "127.0.0.1", port: plain, allowed: true },
        { host: "127.0.0.1", port: forbidden, allowed: false },
        { host: "mlebench.invalid", port: 80, allowed: false },
        { host: "127.0.0.1", port: secure, allowed: true },
        { host: "mlebench.invalid", port: 443, allowed: false },
      ];
      const logged = readEvents(events).events.filter(({ type }) => type === "network");
      expect(logged.map(({ data }) => data)).toEqual(seen);
      const { network, connections, sandbox } = readCertificate(certificate)!.record.content;
      expect(network).toEqual({ mode: "allow-list", hosts: allowed() });
      expect(connections).toEqual(seen.map((connection) => ({ ...connection, attempts: 1 })));
      expect(sandbox?.network).toEqual({ mode: "allow-list", forwardedPorts: [5000, 3128] });
      const verified = await verifyTrial(certificate, {
        dataDir: "/nonexistent",
        competitionsDir: undefined,
        known: new Map(),
        trustedKey: null,
      });
      expect(verified.verdict).not.toBe("broken");
      expect(verified.findings.map(({ what }) => what)).toContainEqual(
        expect.stringMatching(/^network: allowed .*; reached .*; refused .*mlebench\.invalid:443 \(1\)/),
      );
    });

    test("is what dummy finds from inside", async () => {
      const network = { mode: "allow-list" as const, hosts: allowed() };
      const change = { agentId: "dummy", sandbox: kind, network, ...settingsFor(kind) };
      const dummy = await runPlanned(await plan(scene(""), change));
      const { checks } = JSON.parse(fs.readFileSync(path.join(dummy.trialFolder, "logs/dummy.json"), "utf8"));
      expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
      expect(checks).toContainEqual(
        expect.objectContaining({
          name: "network",
          detail: expect.stringContaining('said to be "allow-list"'),
        }),
      );
    });
  });
}
