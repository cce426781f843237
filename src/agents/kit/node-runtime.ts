import fs from "node:fs";
import path from "node:path";

/** Below a folder that every sandbox can mount into, whatever its root is like. */
const INSIDE = "/run/mlebench";
/** These have to be the sandbox's own: they belong to its loader. */
const OF_THE_C_LIBRARY = /^(ld-|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libutil\.|libnss_)/;

export interface NodeRuntime {
  command: string;
  mounts: { host: string; inside: string }[];
  env: Record<string, string>;
}

/**
 * The Node that runs the harness, for use inside a sandbox that has none: the program and the libraries it needs
 * beyond the C library's, each mounted read-only. The sandbox's C library must not be older than the host's
 * libraries ask for.
 */
export function nodeRuntime(): NodeRuntime {
  const libraries = loadedLibraries().map((host) => ({
    host,
    inside: `${INSIDE}/lib/${soname(host)}`,
  }));
  return {
    command: `${INSIDE}/bin/node`,
    mounts: [{ host: fs.realpathSync(process.execPath), inside: `${INSIDE}/bin/node` }, ...libraries],
    env: libraries.length === 0 ? {} : { LD_LIBRARY_PATH: `${INSIDE}/lib` },
  };
}

/** Elsewhere than on Linux only the `process` sandbox works, and that one needs nothing mounted. */
function loadedLibraries(): string[] {
  if (process.platform !== "linux") return [];
  const mapped = fs.readFileSync("/proc/self/maps", "utf8").matchAll(/ (\/.+\/lib[^/]*\.so(?:\.[\d.]+)?)$/gm);
  const files = new Set(Array.from(mapped, ([, file]) => file));
  return [...files].filter((file) => !OF_THE_C_LIBRARY.test(path.basename(file))).sort();
}

/** Programs ask for `libstdc++.so.6`, the file is called `libstdc++.so.6.0.30`. */
function soname(file: string): string {
  return path.basename(file).replace(/(\.so\.\d+)[\d.]*$/, "$1");
}
