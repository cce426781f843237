import type { SandboxKind } from "../kind.ts";
import type { EnforcedPolicy, LimitName, LimitPolicy, Refusal, SandboxLimits } from "../sandbox.ts";
import type { CgroupLayout } from "./cgroup-layout.ts";

/** How well a sandbox can keep a limit on this machine, and what would make it better. */
export interface LimitAbility {
  enforcement: LimitPolicy["enforcement"];
  by: string;
  nextStep: string;
}

export const POLLED_BY = "the harness, over the process tree";
const NAMES: Record<LimitName, string> = {
  memoryBytes: "memory",
  cpus: "CPU",
  processes: "process",
  diskBytes: "disk",
};

/** With less nothing can be started, not even what starts it. */
const LEAST: Partial<Record<LimitName, number>> = { memoryBytes: 2 ** 20, processes: 2 };

/** Wishes are kept as well as possible and recorded as what they are; a requirement has to be enforced. */
export function decideLimits(
  limits: SandboxLimits,
  abilities: Record<LimitName, LimitAbility>,
): { status: "decided"; limits: EnforcedPolicy["limits"] } | Refusal {
  const decided = {} as EnforcedPolicy["limits"];
  for (const name of Object.keys(NAMES) as LimitName[]) {
    const limit = limits[name];
    const ability = abilities[name];
    if (limit === undefined) {
      decided[name] = { value: null, enforcement: "not enforced", by: "no limit was asked for" };
    } else if (!(limit.value > 0 && limit.value >= (LEAST[name] ?? 0))) {
      return {
        status: "refused",
        code: "BAD_REQUEST",
        message: `a ${NAMES[name]} limit of ${limit.value} leaves nothing to run in`,
        nextStep:
          LEAST[name] === undefined
            ? "give a limit above 0, or none"
            : `give one of ${LEAST[name]} at least, or none`,
        blame: "user",
        retryable: false,
      };
    } else if (limit.required && ability.enforcement !== "enforced") {
      return {
        status: "refused",
        code: "LIMIT_NOT_ENFORCEABLE",
        message: `the ${NAMES[name]} limit was asked for explicitly, and would only be ${ability.enforcement} here`,
        nextStep: ability.nextStep,
        blame: "host",
        retryable: false,
      };
    } else {
      decided[name] = { value: limit.value, enforcement: ability.enforcement, by: ability.by };
    }
  }
  return { status: "decided", limits: decided };
}

const CGROUP_NEXT_STEP =
  "run mlebench as root, or with cgroups of its own: systemd-run --user --scope -p Delegate=yes mlebench …";
const DISK_NEXT_STEP = "run mlebench as root, with e2fsprogs installed: apt-get install e2fsprogs";

/** What would let a kind of sandbox enforce a limit on this machine. */
export function enforcementNextStep(kind: SandboxKind, name: LimitName): string {
  if (name !== "diskBytes") return CGROUP_NEXT_STEP;
  return kind === "process" ? "use a sandbox that can: --sandbox bubblewrap" : DISK_NEXT_STEP;
}

/** What cgroups would make of the limits, known before there is one. */
export function cgroupCapabilities(
  layout: CgroupLayout | null,
): Record<"memoryBytes" | "cpus" | "processes", LimitPolicy["enforcement"]> {
  const limitsCpu = layout !== null && (layout.version === "cgroup v1" || layout.limitsCpu);
  const watched = layout === null ? "polled" : "enforced";
  return { memoryBytes: watched, cpus: limitsCpu ? "enforced" : "not enforced", processes: watched };
}

/** What a cgroup makes of memory, CPU and processes; without one they can only be watched. */
export function cgroupAbilities(
  cgroup: { version: string; enforced: ReadonlySet<LimitName> } | null,
  limits: SandboxLimits,
): Record<"memoryBytes" | "cpus" | "processes", LimitAbility> {
  const ability = (name: LimitName, otherwise: LimitPolicy["enforcement"]): LimitAbility =>
    cgroup !== null && (cgroup.enforced.has(name) || limits[name] === undefined)
      ? { enforcement: "enforced", by: cgroup.version, nextStep: "" }
      : {
          enforcement: otherwise,
          by: otherwise === "polled" ? POLLED_BY : "nothing",
          nextStep: CGROUP_NEXT_STEP,
        };
  return {
    memoryBytes: ability("memoryBytes", "polled"),
    cpus: ability("cpus", "not enforced"),
    processes: ability("processes", "polled"),
  };
}
