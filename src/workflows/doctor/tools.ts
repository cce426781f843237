import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import type { DoctorCheck } from "./schema.ts";

const PATIENCE_MS = 10_000;

interface Tool {
  area: DoctorCheck["area"];
  name: string;
  /** Something that only works when the tool does, not merely its version. */
  probe: [command: string, ...args: string[]];
  install: string;
  broken: string;
}

const SANDBOXES: Tool[] = [
  {
    area: "sandbox",
    name: "bubblewrap",
    probe: ["bwrap", "--ro-bind", "/", "/", "--unshare-net", "--dev", "/dev", "true"],
    install: "sudo apt install bubblewrap",
    broken:
      "allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1 (Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0)",
  },
  {
    area: "sandbox",
    name: "podman",
    probe: ["podman", "info"],
    install: "sudo apt install podman",
    broken: "see what it says: podman info",
  },
  {
    area: "sandbox",
    name: "docker",
    probe: ["docker", "info"],
    install: "https://docs.docker.com/engine/install/",
    broken: "start it: sudo systemctl start docker (and be in the group docker)",
  },
];

const PYTHON: Tool = {
  area: "python",
  name: "python3",
  probe: ["python3", "-c", "import sys; print(sys.version.split()[0])"],
  install: "sudo apt install python3",
  broken: "see what it says: python3 --version",
};

/** Sandboxes, Python and our own optional parts. One sandbox that works is enough. */
export async function checkTools(): Promise<DoctorCheck[]> {
  const sandboxes = await Promise.all(SANDBOXES.map(checkTool));
  const anySandbox = sandboxes.some(({ status }) => status === "ok");
  const checks = anySandbox ? sandboxes.map(needless) : sandboxes;
  return [...checks, await checkTool(PYTHON), checkSevenZip(), await checkParquet()];
}

function needless(check: DoctorCheck): DoctorCheck {
  return check.status === "ok"
    ? check
    : { ...check, status: "warning", message: `${check.message}; another sandbox works` };
}

async function checkTool({
  area,
  name,
  probe: [command, ...args],
  install,
  broken,
}: Tool): Promise<DoctorCheck> {
  const outcome = await tryCommand(command, args);
  if (outcome.status === "ran") {
    const said = outcome.output.trim().split("\n").length === 1 ? outcome.output.trim() : "";
    return {
      area,
      name,
      status: "ok",
      message: said === "" ? "works" : `works (${said.slice(0, 40)})`,
      fix: null,
    };
  }
  const absent = outcome.status === "absent";
  return {
    area,
    name,
    status: "missing",
    message: absent ? "not installed" : `installed, but does not work here (${outcome.output})`,
    fix: absent ? install : broken,
  };
}

type Attempt = { status: "ran" | "absent" | "failed"; output: string };

function tryCommand(command: string, args: string[]): Promise<Attempt> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: PATIENCE_MS, encoding: "utf8" }, (error, stdout, stderr) => {
      if (error === null) resolve({ status: "ran", output: stdout });
      else if (error.code === "ENOENT") resolve({ status: "absent", output: "" });
      else
        resolve({ status: "failed", output: (stderr || error.message).trim().split("\n")[0].slice(0, 120) });
    });
  });
}

function checkSevenZip(): DoctorCheck {
  const check = { area: "parts", name: "7z archives" } as const;
  try {
    createRequire(import.meta.url).resolve("7z-wasm");
    return { ...check, status: "ok", message: "can be read", fix: null };
  } catch {
    return {
      ...check,
      status: "missing",
      message: "cannot be read; some downloads need it",
      fix: "npm install 7z-wasm@1.2.0",
    };
  }
}

async function checkParquet(): Promise<DoctorCheck> {
  const check = { area: "parts", name: "Parquet files" } as const;
  try {
    await Promise.all([import("hyparquet"), import("hyparquet-compressors"), import("hyparquet-writer")]);
    return { ...check, status: "ok", message: "can be read and written", fix: null };
  } catch {
    const fix = "npm install hyparquet@1.31.5 hyparquet-compressors@1.1.2 hyparquet-writer@0.16.10";
    return { ...check, status: "missing", message: "cannot be read; one competition needs them", fix };
  }
}
