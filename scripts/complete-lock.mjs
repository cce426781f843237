// Adds to package-lock.json the binaries of other platforms that the registry at hand does not have. npm leaves out an
// optional package it cannot find, and `npm ci` then calls the lock file incomplete, on every machine. Run it after
// `npm install` has changed the lock file.
import fs from "node:fs";
import path from "node:path";

const file = path.resolve(import.meta.dirname, "../package-lock.json");
const lock = JSON.parse(fs.readFileSync(file, "utf8"));
const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = [
  "arm64",
  "arm",
  "x64",
  "ia32",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "mips64el",
  "wasm32",
];

let added = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(place, name) || !platformOf(name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
    added++;
  }
}
const root = lock.packages[""];
const others = Object.keys(lock.packages).filter((place) => place !== "");
lock.packages = Object.fromEntries([
  ["", root],
  ...others.sort().map((place) => [place, lock.packages[place]]),
]);
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added to package-lock.json`);

function isLocked(place, name) {
  return `${place}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages;
}

/** What a package's name tells: `…-linux-arm64-musl` is for Linux on 64-bit ARM. Null for a name that tells nothing. */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => parts.includes(system));
  const cpu = PROCESSORS.find((processor) => parts.includes(processor));
  if (!cpu || (!os && cpu !== "wasm32")) return null;
  const libc = parts.some((part) => part.startsWith("musl")) ? { libc: ["musl"] } : {};
  return { cpu: [cpu], ...libc, ...(os ? { os: [os] } : {}) };
}
