import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { plural } from "../../wording/counts.ts";
import { gpuSlots } from "../gpus/devices.ts";
import { givenSlots } from "../gpus/given.ts";
import { deviceVariables, withGpuTools } from "../gpus/inside.ts";
import type { SandboxKind } from "../kind.ts";
import { sandboxes } from "../kinds.ts";
import { badRequest } from "../refuse.ts";
import type { EnforcedPolicy, Refusal } from "../sandbox.ts";
import { PYTHON_PACKAGES } from "./environment.ts";

/** What an agent would find, as seen from inside. Null: not there. */
export interface EnvironmentFindings {
  status: "checked";
  system: string | null;
  user: string | null;
  python: string | null;
  packages: Record<string, string | null>;
  programs: Record<string, boolean>;
  processors: number;
  memoryBytes: number;
  gpus: string[];
  /** Device files of GPUs that can be seen inside, and what CUDA or ROCm is told to use. */
  gpuDevices: string[];
  gpuVisible: string | null;
  /** Milliseconds until the command ran, and until everything was gone again. */
  startMilliseconds: number;
  totalMilliseconds: number;
  policy: EnforcedPolicy;
}

const PROGRAMS = ["bash", "perl", "python3", "pip3", "node", "git", "curl", "gcc", "unzip", "7z"];

/** One line per finding; POSIX shell only, since nothing else can be counted on. */
const SCRIPT = `
sed -n 's/^PRETTY_NAME="*\\([^"]*\\)"*/system=\\1/p' /etc/os-release 2>/dev/null
echo "user=$(id -u)"
echo "processors=$(nproc 2>/dev/null || echo 0)"
sed -n 's/^MemTotal: *\\([0-9]*\\) kB/memory=\\1/p' /proc/meminfo
for name in ${PROGRAMS.join(" ")}; do command -v $name >/dev/null 2>&1 && echo "program=$name"; done
nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | sed 's/^/gpu=/'
ls /dev/nvidia[0-9]* /dev/dri/renderD* 2>/dev/null | sed 's/^/device=/'
[ -n "$CUDA_VISIBLE_DEVICES$ROCR_VISIBLE_DEVICES" ] && echo "visible=$CUDA_VISIBLE_DEVICES$ROCR_VISIBLE_DEVICES"
python3 - ${Object.entries(PYTHON_PACKAGES)
  .map((names) => names.join("="))
  .join(" ")} <<'END' 2>/dev/null
import importlib, sys
print("python=" + sys.version.split()[0])
from importlib import metadata
def version(name, module):
    try: return metadata.version(name)
    # Debian leaves the metadata out of some packages.
    except Exception: return importlib.import_module(module).__version__
for pair in sys.argv[1:]:
    name, module = pair.split("=")
    try: print("package=" + name + " " + version(name, module))
    except Exception: pass
END
exit 0`;

/** Looks around inside a sandbox, as an agent would. */
export async function checkEnvironment(
  kind: SandboxKind,
  place: { rootFolder?: string; image?: string },
  { gpus, show = [] }: { gpus?: number | undefined; show?: readonly string[] | undefined } = {},
): Promise<EnvironmentFindings | Refusal> {
  const present = givenSlots(gpuSlots(), process.env);
  if (gpus !== undefined && gpus > present.length)
    return badRequest(
      `${plural(gpus, "GPU")} asked for, and this machine has ${present.length}${present.length < gpuSlots().length ? " that you may use" : ""}`,
      "see nvidia-smi -L, CUDA_VISIBLE_DEVICES and SLURM_JOB_GPUS",
    );
  const slots = present.slice(0, gpus);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-env-check-"));
  try {
    const stdout = path.join(folder, "stdout");
    const before = performance.now();
    const outcome = await sandboxes[kind].start({
      command: ["sh", "-c", SCRIPT],
      env: {
        PATH: withGpuTools("/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", slots),
        ...deviceVariables(slots, kind !== "process"),
      },
      workingFolder: "/tmp",
      mounts: show.map((shown) => ({ host: shown, inside: shown, mode: "read-only" })),
      network: { mode: "none" },
      forwards: [],
      limits: {},
      gpus: slots,
      ...place,
      stdout,
      stderr: path.join(folder, "stderr"),
      identity: `env-check-${process.pid}`,
    });
    if (outcome.status === "refused") return outcome;
    const startMilliseconds = performance.now() - before;
    await outcome.running.wait();
    const totalMilliseconds = performance.now() - before;
    return {
      status: "checked",
      ...read(fs.readFileSync(stdout, "utf8")),
      startMilliseconds,
      totalMilliseconds,
      policy: outcome.policy,
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function read(text: string) {
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);
  const packages = new Map(values("package").map((line) => line.split(" ") as [string, string]));
  const programs = values("program");
  return {
    system: values("system")[0] ?? null,
    user: values("user")[0] ?? null,
    python: values("python")[0] ?? null,
    packages: Object.fromEntries(
      Object.keys(PYTHON_PACKAGES).map((name) => [name, packages.get(name) ?? null]),
    ),
    programs: Object.fromEntries(PROGRAMS.map((name) => [name, programs.includes(name)])),
    processors: Number(values("processors")[0] ?? 0),
    memoryBytes: Number(values("memory")[0] ?? 0) * 1024,
    gpus: values("gpu"),
    gpuDevices: values("device"),
    gpuVisible: values("visible")[0] ?? null,
  };
}
