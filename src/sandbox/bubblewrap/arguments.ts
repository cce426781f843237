import fs from "node:fs";
import path from "node:path";
import { deviceFiles } from "../gpus/inside.ts";
import { agentEnvironment } from "../network/network.ts";
import type { SandboxRequest } from "../sandbox.ts";

/** Of the host's /etc only what programs need to start; never /etc/ssl/private, shadow, ssh or machine-id. */
const HOST_ETC = [
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "ssl/certs",
  "ssl/openssl.cnf",
  "ca-certificates",
  "localtime",
  "timezone",
  "mime.types",
  "magic",
  "fonts",
  "perl",
  "python3",
  "python3.11",
  "debian_version",
  "os-release",
];
const TOP_LEVEL = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];

export interface ScratchParts {
  etc: string;
  tmp: string;
  /** Covers what must not be read. */
  empty: string;
}

/** What they list belongs to the session the harness was started in, and so to every trial. */
const KEYRING_FILES = ["/proc/keys", "/proc/key-users"];

/** Writes the small files every program expects in /etc, and the folder that becomes /tmp. */
export function fillScratch(scratch: string, nameserver: string | null): ScratchParts {
  const etc = path.join(scratch, "etc");
  const tmp = path.join(scratch, "tmp");
  fs.mkdirSync(etc);
  fs.mkdirSync(tmp);
  fs.chmodSync(tmp, 0o1777);
  const files = {
    passwd:
      "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/home/agent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    group: "root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n",
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "resolv.conf": nameserver === null ? "" : `nameserver ${nameserver}\n`,
  };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(etc, name), text);
  const empty = path.join(scratch, "empty");
  fs.writeFileSync(empty, "");
  return { etc, tmp, empty };
}

/**
 * Everything after `bwrap`, to be passed through a file descriptor: on the command line every user of the host could
 * read the agent's keys.
 */
export function bubblewrapArguments(
  request: SandboxRequest,
  { etc, tmp, empty }: ScratchParts,
  options: {
    blockFd: number;
    infoFd: number;
    /** Null where there is no filter for this machine. */
    filterFd: number | null;
    hidden: readonly string[];
    sockets: readonly { host: string; inside: string }[];
    at(host: string): string;
  },
): string[] {
  const { blockFd, infoFd, filterFd, hidden, sockets, at } = options;
  const user = request.asRoot ? "0" : "1000";
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"],
    ...["--unshare-cgroup-try", "--uid", user, "--gid", user, "--hostname", "mlebench"],
    // Root inside a further user namespace could mount and tinker; nothing an agent needs.
    ...["--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"],
    ...Object.entries(agentEnvironment(request)).flatMap(([name, value]) => ["--setenv", name, value]),
    ...(request.rootFolder === undefined ? hostSystem(etc, at) : chosenRoot(request.rootFolder, etc, at)),
    ...hidden.flatMap((folder) => ["--tmpfs", folder]),
    ...["--proc", "/proc", "--dev", "/dev", "--bind", at(tmp), "/tmp", "--tmpfs", "/home", "--tmpfs", "/run"],
    ...KEYRING_FILES.filter((file) => fs.existsSync(file)).flatMap((file) => ["--ro-bind", at(empty), file]),
    ...gpuDevices(request.gpus),
    ...parentsFirst(request.mounts).flatMap(({ host, inside, mode }) => [
      mode === "read-only" ? "--ro-bind" : "--bind",
      at(host),
      inside,
    ]),
    ...sockets.flatMap(({ host, inside }) => ["--bind", host, inside]),
    ...["--remount-ro", "/", "--chdir", request.workingFolder],
    ...(filterFd === null ? [] : ["--seccomp", `${filterFd}`]),
    ...["--info-fd", `${infoFd}`, "--block-fd", `${blockFd}`],
  ];
}

/** A mount inside another one has to come after it, or it is covered. */
function parentsFirst<T extends { inside: string }>(mounts: readonly T[]): T[] {
  return [...mounts].sort((a, b) => a.inside.split("/").length - b.inside.split("/").length);
}

function hostSystem(etc: string, at: (host: string) => string): string[] {
  const args = [
    "--ro-bind",
    "/usr",
    "/usr",
    "--dir",
    "/var",
    "--symlink",
    "../tmp",
    "/var/tmp",
    "--dir",
    "/etc",
  ];
  for (const name of TOP_LEVEL) {
    const stats = fs.lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) args.push("--symlink", fs.readlinkSync(`/${name}`), `/${name}`);
    else if (stats?.isDirectory()) args.push("--ro-bind", `/${name}`, `/${name}`);
  }
  for (const name of HOST_ETC) args.push("--ro-bind-try", `/etc/${name}`, `/etc/${name}`);
  for (const name of fs.readdirSync(etc)) args.push("--ro-bind", path.join(at(etc), name), `/etc/${name}`);
  return args;
}

/** The root keeps its own /etc, except where it has a plain file that must say what is true in here. */
function chosenRoot(root: string, etc: string, at: (host: string) => string): string[] {
  const own = (name: string) =>
    fs.lstatSync(path.join(root, "etc", name), { throwIfNoEntry: false })?.isFile();
  const replaced = fs.readdirSync(etc).filter((name) => name !== "passwd" && name !== "group" && own(name));
  return [
    ...["--ro-bind", at(root), "/"],
    ...replaced.flatMap((name) => ["--ro-bind", path.join(at(etc), name), `/etc/${name}`]),
  ];
}

function gpuDevices(gpus: readonly string[]): string[] {
  if (gpus.length === 0) return [];
  // CUDA looks the devices up in /sys.
  return [
    ...deviceFiles(gpus).flatMap((device) => ["--dev-bind-try", device, device]),
    "--ro-bind-try",
    "/sys",
    "/sys",
  ];
}
