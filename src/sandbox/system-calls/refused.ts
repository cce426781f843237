/** As the kernel's audit constants and Node's `process.arch` call them. */
export type Architecture = "x64" | "arm64";

const EPERM = 1;
/** For calls whose callers have another way when a kernel does not know them, such as the C library's threads. */
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

export interface RefusedCall {
  name: string;
  /** Null: there is no such call on that architecture. */
  x64: number | null;
  arm64: number | null;
  errno: number;
}

const call = (name: string, x64: number | null, arm64: number | null = x64, errno = EPERM): RefusedCall => ({
  ...{ name, x64, arm64, errno },
});

/**
 * What no agent has a use for, and what has let sandboxed programs out before: the keys of a session that is shared
 * with the host and other trials, looking into other processes, the kernel's own programs and tracing, mounts and
 * namespaces, the machine's clock, modules and power. io_uring goes because it opens sockets past any filter.
 */
export const REFUSED_CALLS: readonly RefusedCall[] = [
  ...[call("keyctl", 250, 219), call("add_key", 248, 217), call("request_key", 249, 218)],
  ...[call("ptrace", 101, 117), call("process_vm_readv", 310, 270), call("process_vm_writev", 311, 271)],
  ...[call("kcmp", 312, 272)],
  ...[call("bpf", 321, 280), call("userfaultfd", 323, 282), call("perf_event_open", 298, 241)],
  ...[call("mount", 165, 40), call("umount2", 166, 39), call("pivot_root", 155, 41), call("chroot", 161, 51)],
  ...[call("open_tree", 428), call("move_mount", 429), call("fsopen", 430), call("fsconfig", 431)],
  ...[call("fsmount", 432), call("fspick", 433), call("mount_setattr", 442), call("open_tree_attr", 467)],
  ...[call("unshare", 272, 97), call("setns", 308, 268), call("open_by_handle_at", 304, 265)],
  ...[call("kexec_load", 246, 104), call("kexec_file_load", 320, 294), call("reboot", 169, 142)],
  ...[call("init_module", 175, 105), call("finit_module", 313, 273), call("delete_module", 176, 106)],
  ...[call("swapon", 167, 224), call("swapoff", 168, 225), call("acct", 163, 89), call("syslog", 103, 116)],
  ...[call("quotactl", 179, 60), call("quotactl_fd", 443), call("lookup_dcookie", 212, 18)],
  ...[
    call("iopl", 172, null),
    call("ioperm", 173, null),
    call("uselib", 134, null),
    call("ustat", 136, null),
  ],
  ...[call("settimeofday", 164, 170), call("clock_settime", 227, 112), call("vhangup", 153, 58)],
  ...[call("sethostname", 170, 161), call("setdomainname", 171, 162), call("nfsservctl", 180, 42)],
  ...[call("clone3", 435, 435, ENOSYS), call("io_uring_setup", 425, 425, ENOSYS)],
  ...[call("io_uring_enter", 426, 426, ENOSYS), call("io_uring_register", 427, 427, ENOSYS)],
];

/** Anything the kernel learned after this was written is not there for an agent: nobody has looked at it. */
export const LAST_KNOWN_CALL = 469;
export const UNKNOWN_CALL_ERRNO = ENOSYS;

/** Calls that are refused by what they are asked for. */
export const CONDITIONAL_CALLS = {
  socket: { x64: 41, arm64: 198, errno: EAFNOSUPPORT },
  socketpair: { x64: 53, arm64: 199, errno: EAFNOSUPPORT },
  ioctl: { x64: 16, arm64: 29, errno: EPERM },
  clone: { x64: 56, arm64: 220, errno: EPERM },
} as const;

/** Unix, IPv4, IPv6 and netlink, by which programs list the network's interfaces. */
export const SOCKET_FAMILIES = [1, 2, 10, 16] as const;
/** TIOCSTI and TIOCLINUX type into somebody's terminal. */
export const TERMINAL_REQUESTS = [0x5412, 0x541c] as const;
/** Every flag that asks clone for a new namespace. */
export const NAMESPACE_FLAGS = 0x7e020000;

/** Null where the calls' numbers are not known to us. */
export function knownArchitecture(name: string = process.arch): Architecture | null {
  return name === "x64" || name === "arm64" ? name : null;
}

/** What a record says about the filter; `without`: why there is none. */
export function filterPolicy(without: string | null): { filtered: boolean; by: string } {
  const calls = REFUSED_CALLS.length + Object.keys(CONDITIONAL_CALLS).length;
  return without === null
    ? { filtered: true, by: `seccomp, ${calls} calls` }
    : { filtered: false, by: without };
}
