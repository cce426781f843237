import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { notTested } from "../../tools.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** A user that nobody else is. */
export const STRANGER = 4242;

/**
 * A root that holds the system's programs, the package, and the folders that are named, each at its own place and
 * nothing else; then the command in it, as another user. $1: "root" where the caller is one.
 */
const SCRIPT = `
set -e
caller=$1 root=$2 user=$3; shift 3
mount -t tmpfs -o mode=755 tmpfs "$root"
place() { mkdir -p "$root$(dirname "$1")"; if [ -d "$1" ]; then mkdir -p "$root$1"; else touch "$root$1"; fi; }
show() { place "$1"; mount --rbind "$1" "$root$1"; }
mkdir -m 1777 "$root/tmp"
for name in bin sbin lib lib64; do [ -L "/$name" ] && cp -P "/$name" "$root/$name" || { [ -d "/$name" ] && show "/$name"; } || true; done
for one in /usr /proc /dev/null /dev/zero /dev/urandom; do show "$one"; done
while [ "$1" != "--" ]; do show "$1"; shift; done
shift
mkdir "$root/.before"
cd "$root"
pivot_root . .before
cd /
umount -l /.before
rmdir /.before
if [ "$caller" = root ]; then exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; fi
exec unshare --user --map-user="$user" --map-group="$user" "$@"
`;

const IS_ROOT = process.getuid?.() === 0;

/** Runs a command as another user in a mount namespace that shows the given folders, and of our own files only the package. */
export function elsewhere(folders: readonly string[], command: readonly string[]) {
  const mine = [
    process.execPath,
    ...["dist", "node_modules", "package.json"].map((name) => path.join(ROOT, name)),
  ];
  const shown = mine.filter((place) => !place.startsWith("/usr/"));
  const user = IS_ROOT ? [] : ["--user", "--map-root-user"];
  return spawnSync(
    "unshare",
    [
      ...[...user, "--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh"],
      ...[
        IS_ROOT ? "root" : "user",
        temporaryFolder(),
        String(STRANGER),
        ...shown,
        ...folders,
        "--",
        ...command,
      ],
    ],
    { encoding: "utf8", env: { PATH: process.env.PATH ?? "" }, timeout: 120_000 },
  );
}

/** Whether this machine lets us make such a place. */
export function canGoElsewhere(): boolean {
  const tried = elsewhere([], [process.execPath, "-e", "process.exit(process.getuid() === 4242 ? 0 : 1)"]);
  if (tried.status === 0) return true;
  const why = tried.error?.message ?? tried.stderr.trim().split("\n").at(-1) ?? `status ${tried.status}`;
  notTested({
    what: "a trial in another mount namespace and under another user",
    why: `unshare: ${why}`,
    command:
      "sudo sysctl kernel.unprivileged_userns_clone=1, or run the tests as root with util-linux installed",
  });
  return false;
}

/** Gives a folder and all in it to the stranger, where that is possible and needed. */
export function giveToStranger(folder: string): void {
  if (!IS_ROOT) return;
  for (const name of ["", ...(fs.readdirSync(folder, { recursive: true }) as string[])])
    fs.lchownSync(path.join(folder, name), STRANGER, STRANGER);
}
