import type { GroupSettings } from "../../src/trials/group/schema.ts";

/** Settings of a small run group without isolation; whoever plants one says what matters to it. */
export function groupSettings(
  change: Pick<GroupSettings, "agentId" | "dataDir"> & Partial<GroupSettings>,
): GroupSettings {
  return {
    agentFolders: [],
    competitionVersion: "v1",
    competitionsDir: null,
    workers: 1,
    sandbox: "process",
    network: null,
    timeSeconds: 3600,
    timeSecondsOf: {},
    graceSeconds: 1,
    memoryBytes: { value: 2 ** 30, required: false },
    memoryBytesOf: {},
    cpus: { value: 1, required: false },
    processes: { value: 256, required: false },
    diskBytes: { value: 2 ** 30, required: false },
    gpus: 0,
    image: null,
    rootFolder: null,
    materials: null,
    snapshotMinutes: 60,
    retain: false,
    signingKey: null,
    ...change,
  };
}
