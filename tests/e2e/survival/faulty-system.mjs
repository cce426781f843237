// Loaded into a harness with `node --import`: makes the n-th call that writes (or opens) something below a folder fail,
// as a disk that is full, or a process that has no descriptor left, would. Children do not load it. The fault is told by
// a variable, or set by a program that does one after the other: `globalThis.mlebenchFault.arm(fault)`.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const told = JSON.parse(process.env.MLEBENCH_TEST_FAULT);
delete process.env.MLEBENCH_TEST_FAULT;
const real = { ...fs, promises: { ...fs.promises } };
const OPENS = told.calls === "opens";
let { below = null, kind, code, at, countFile } = told;
let count = 0;
globalThis.mlebenchFault = {
  arm(fault) {
    ({ below, kind, code, at } = fault);
    count = 0;
  },
  /** How many calls there were. */
  disarm() {
    below = null;
    return count;
  },
};

/** "ok", "fail", or "half" where the call can do half of what it was asked for. */
function judge(place) {
  if (!isBelow(place)) return "ok";
  count++;
  if (kind === "on") return count >= at ? "fail" : "ok";
  if (kind === "half") return count === at ? "half" : count === at + 1 ? "fail" : "ok";
  return count === at ? "fail" : "ok";
}

function isBelow(place) {
  if (below === null) return false;
  if (place instanceof URL) return isBelow(place.pathname);
  if (typeof place === "number") return isBelow(pathOf(place));
  return typeof place === "string" && path.resolve(place).startsWith(`${below}/`);
}

function pathOf(descriptor) {
  try {
    return real.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

function failure(name, place) {
  const syscall = name.replace(/Sync$/, "").toLowerCase();
  const where = typeof place === "string" ? ` '${place}'` : "";
  return Object.assign(new Error(`${code}: made to fail, ${syscall}${where}`), {
    code,
    errno: code === "EMFILE" ? -24 : -28,
    syscall,
    ...(typeof place === "string" ? { path: place } : {}),
  });
}

const creates = (flags = "r") =>
  OPENS || (typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : !/^r\+?s?$/.test(flags));
const half = (data) => data.slice(0, Math.floor(data.length / 2));

function wrapSync(name, { place = 0, when = () => true, asHalf = null } = {}) {
  fs[name] = (...args) => {
    const verdict = when(args) ? judge(args[place]) : "ok";
    if (verdict === "half" && asHalf !== null) return asHalf(real[name], args);
    if (verdict !== "ok") throw failure(name, args[place]);
    return real[name](...args);
  };
}

function wrapPromise(owner, name, original, { placeOf = (_, args) => args[0], when = () => true } = {}) {
  owner[name] = async function (...args) {
    const place = placeOf(this, args);
    const verdict = when(args) ? judge(place) : "ok";
    if (verdict !== "ok") throw failure(name, place);
    return original.apply(this, args);
  };
}

const opening = { when: (args) => creates(args[1]) };
wrapSync("openSync", opening);
fs.open = (...args) => {
  if (creates(typeof args[1] === "function" ? "r" : args[1]) && judge(args[0]) !== "ok")
    process.nextTick(args.at(-1), failure("open", args[0]));
  else real.open(...args);
};
wrapPromise(fs.promises, "open", real.promises.open, opening);
for (const name of OPENS ? ["readFileSync", "opendirSync", "readdirSync"] : []) wrapSync(name);
for (const name of OPENS ? ["readFile", "opendir", "readdir"] : [])
  wrapPromise(fs.promises, name, real.promises[name]);

if (!OPENS) {
  wrapSync("writeSync", {
    asHalf: (write, [fd, data, offset, length, position]) =>
      typeof data === "string"
        ? write(fd, half(data), offset)
        : write(fd, data, offset ?? 0, Math.floor((length ?? data.length) / 2), position),
  });
  wrapSync("writeFileSync", {
    asHalf: (write, [file, data, ...rest]) => {
      write(file, half(data), ...rest);
      throw failure("writeSync", file);
    },
  });
  for (const name of ["appendFileSync", "mkdirSync", "mkdtempSync", "copyFileSync", "cpSync"]) wrapSync(name);
  for (const name of ["ftruncateSync", "truncateSync", "fsyncSync", "fdatasyncSync"]) wrapSync(name);
  for (const name of ["renameSync", "linkSync", "symlinkSync"]) wrapSync(name, { place: 1 });
  for (const name of ["write", "writev"])
    fs[name] = (...args) => {
      if (judge(args[0]) === "ok") real[name](...args);
      else process.nextTick(args.at(-1), failure(name, args[0]));
    };
  for (const name of ["writeFile", "appendFile", "mkdir", "mkdtemp", "copyFile", "cp"])
    wrapPromise(fs.promises, name, real.promises[name]);
  for (const name of ["rename", "link", "symlink"])
    wrapPromise(fs.promises, name, real.promises[name], { placeOf: (_, args) => args[1] });
  const handle = await real.promises.open("/dev/null");
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of ["write", "writev", "writeFile", "appendFile", "truncate", "sync", "datasync"])
    wrapPromise(prototype, name, prototype[name], { placeOf: (self) => self.fd });
}
syncBuiltinESMExports();
process.on("exit", () => countFile && real.writeFileSync(countFile, String(count)));
