import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

export type SevenZipMount = { at: string; folder: string };

export type SevenZipRun = {
  /** 7-Zip's own arguments; paths are those inside `mounts`. */
  args: string[];
  /** The only folders of this machine that 7-Zip can see. */
  mounts: SevenZipMount[];
  /** Files that exist for this run only, e.g. a list of names. */
  files: Record<string, string>;
  workingFolder: string;
  /** Once more than this many bytes are written the run is stopped. */
  maxWrittenBytes: number;
  onWritten: (bytes: number) => void;
  signal: AbortSignal | null;
};

export type SevenZipResult =
  | { status: "done"; code: number; output: string }
  | { status: "stopped"; why: "interrupted" | "too-large" }
  | { status: "missing" };

type Message = { written: number } | { tooLarge: true } | { code: number; output: string };

/**
 * 7-Zip runs as WebAssembly in a worker: it sees the mounted folders only, and the event loop stays free. File modes of
 * archives are ignored (a folder without rights could not even be removed). The text is CommonJS in a string because
 * Node 20 cannot load a TypeScript file as a worker and tests run from the sources.
 */
const workerSource = `
const { parentPort, workerData } = require("node:worker_threads");
const { modulePath, args, mounts, files, workingFolder, maxWrittenBytes } = workerData;
const lines = [];
const keep = (line) => { lines.push(line); };
require(modulePath)({ print: keep, printErr: keep, stdin: () => null }).then((seven) => {
  const { FS, NODEFS } = seven;
  for (const { at, folder } of mounts) { FS.mkdir(at); FS.mount(NODEFS, { root: folder }, at); }
  for (const [name, text] of Object.entries(files)) FS.writeFile(name, text);
  FS.chdir(workingFolder);
  FS.chmod = FS.fchmod = () => {};
  const write = FS.write;
  let written = 0, reported = 0;
  FS.write = (stream, buffer, offset, length, position, canOwn) => {
    const count = write(stream, buffer, offset, length, position, canOwn);
    if (stream.fd > 2) written += count;
    if (written > maxWrittenBytes) throw new Error("too large");
    if (written - reported > 4e6) { reported = written; parentPort.postMessage({ written }); }
    return count;
  };
  try {
    const code = seven.callMain(args);
    parentPort.postMessage({ code: code === undefined ? 0 : code, output: lines.join("\\n") });
  } catch (error) {
    if (written <= maxWrittenBytes) throw error;
    parentPort.postMessage({ tooLarge: true });
  }
});
`;

/** Runs 7-Zip once. `missing` means that the optional package is not installed. */
export function runSevenZip(
  run: SevenZipRun,
  resolve: (id: string) => string = createRequire(import.meta.url).resolve,
): Promise<SevenZipResult> {
  let modulePath: string;
  try {
    modulePath = resolve("7z-wasm");
  } catch {
    return Promise.resolve({ status: "missing" });
  }
  const { onWritten, signal, ...rest } = run;
  const worker = new Worker(workerSource, { eval: true, workerData: { modulePath, ...rest } });
  return new Promise((settle) => {
    const finish = (result: SevenZipResult) => {
      signal?.removeEventListener("abort", stop);
      worker.terminate().then(() => settle(result));
    };
    const stop = () => finish({ status: "stopped", why: "interrupted" });
    worker.on("message", (message: Message) => {
      if ("written" in message) onWritten(message.written);
      else if ("tooLarge" in message) finish({ status: "stopped", why: "too-large" });
      else finish({ status: "done", ...message });
    });
    // WebAssembly that runs out of memory or aborts: an archive can provoke it, so it is a failed run, not a bug.
    worker.on("error", (error) => finish({ status: "done", code: 255, output: error.message }));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}
