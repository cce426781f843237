import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PACKAGES = [
  ...[
    "base-files",
    "dash",
    "bash",
    "coreutils",
    "findutils",
    "grep",
    "sed",
    "perl-base",
    "util-linux",
    "mount",
  ],
  ...[
    "libc6",
    "libc-bin",
    "libtinfo6",
    "libselinux1",
    "libpcre2-8-0",
    "libacl1",
    "libattr1",
    "libgmp10",
    "libcrypt1",
  ],
  ...[
    "libblkid1",
    "libmount1",
    "libsmartcols1",
    "libuuid1",
    "libcap-ng0",
    "libudev1",
    "libsystemd0",
    "zlib1g",
    "tar",
  ],
];

/**
 * A root file system out of the host's own essential Debian packages: what a minimal image holds (a shell, Perl, no
 * Node, Python or curl), made in a second and without a network.
 */
export function makeEssentialRoot(folder: string): void {
  const listed = execFileSync("sh", ["-c", `dpkg -L ${PACKAGES.join(" ")} 2>/dev/null || true`], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const wanted = new Set(
    listed.split("\n").filter((file) => file.startsWith("/") && !/\/(doc|man|locale)\//.test(file)),
  );
  const files = [...wanted].map(throughLinks).filter((file) => isFileOrLink(file));
  const list = path.join(path.dirname(folder), `${path.basename(folder)}.list`);
  fs.writeFileSync(list, [...new Set(files)].map((file) => file.slice(1)).join("\n"));
  fs.mkdirSync(folder);
  execFileSync("sh", ["-c", 'tar -C / -cf - --no-recursion -T "$1" | tar -C "$2" -xf -', "sh", list, folder]);
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    fs.mkdirSync(path.join(folder, "usr", name), { recursive: true });
    if (!fs.existsSync(path.join(folder, name))) fs.symlinkSync(`usr/${name}`, path.join(folder, name));
  }
  for (const name of ["proc", "dev", "tmp", "home", "run", "etc", "var", "root", "sys"])
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(
    path.join(folder, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\n",
  );
  fs.writeFileSync(path.join(folder, "etc/hosts"), "127.0.0.1 localhost\n");
  fs.rmSync(list);
}

/** dpkg still lists /bin and /lib of before the merge into /usr. */
function throughLinks(file: string): string {
  const folder = path.dirname(file);
  return fs.existsSync(folder) ? path.join(fs.realpathSync(folder), path.basename(file)) : file;
}

function isFileOrLink(file: string): boolean {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isDirectory();
}
