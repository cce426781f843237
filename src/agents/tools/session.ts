import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

export interface SessionOutcome {
  output: string;
  /** Null when it was stopped, or when the program itself ended. */
  status: number | null;
  stopped: boolean;
}

/** A program that stays: what one command sets, the next one finds. */
export interface Session {
  run(code: string, seconds: number): Promise<SessionOutcome>;
  end(): void;
}

/** How a kind of session is started, and what is written to it to run one file and say how it ended. */
interface SessionKind {
  command: readonly string[];
  extension: string;
  line(file: string, mark: string): string;
}

/** Descriptor 61 is our own way out: a command that sends the shell's own output elsewhere (`exec >log`) still ends. */
export const SHELL: SessionKind = {
  command: ["bash", "--noprofile", "--norc", "-c", "exec 61>&1; exec bash --noprofile --norc"],
  extension: "sh",
  line: (file, mark) => `source ${file} </dev/null >&61 2>&1; printf '\\n${mark} %d\\n' $? >&61\n`,
};

/**
 * Its own ways in and out are copies: code that reads its input finds none, and may replace or close its output. What it
 * defines is in the main module, where pickling looks for it.
 */
const PYTHON_LOOP = `def _session():
    import os, sys, traceback
    lines, said = os.fdopen(os.dup(0)), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    streams = sys.stdout, sys.stderr
    def quietly(action):
        try:
            action()
        except BaseException:
            pass
    for line in lines:
        file, mark = line.split()
        status = 0
        try:
            with open(file, encoding="utf-8") as code:
                text = code.read()
            exec(compile(text, file, "exec"), sys.modules["__main__"].__dict__)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        except BaseException:
            quietly(traceback.print_exc)
            status = 1
        quietly(sys.stdout.flush)
        quietly(sys.stderr.flush)
        if any(stream.closed for stream in streams):
            streams = [os.fdopen(os.dup(said), "w", 1, encoding="utf-8", errors="replace") for _ in streams]
        sys.stdout, sys.stderr = streams
        os.write(said, ("\\n%s %d\\n" % (mark, status)).encode())
_session()
`;

export const PYTHON: SessionKind = {
  // One stream, so that an error stands where it happened.
  command: ["bash", "-c", 'exec python3 -u -c "$0" 2>&1', PYTHON_LOOP],
  extension: "py",
  line: (file, mark) => `${file} ${mark}\n`,
};

const MAX_OUTPUT = 4 * 1024 * 1024;
/** What a timer can wait for; beyond it would end at once. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Each command is a file of its own, so that an unbalanced quotation mark is an error of that command and nothing waits
 * for its other half. A command that does not end is killed with everything it started, and the program starts anew.
 */
export function openSession(kind: SessionKind, folder: string, cwd: string): Session {
  let child: ChildProcess | null = null;
  let count = 0;
  return {
    async run(code, seconds) {
      count += 1;
      const file = path.join(folder, `${count}.${kind.extension}`);
      // A model that tidies up may remove either.
      makeFolder(folder);
      makeFolder(cwd);
      fs.writeFileSync(file, code.endsWith("\n") ? code : `${code}\n`);
      if (child !== null && (child.exitCode !== null || child.signalCode !== null)) {
        letGo(child);
        child = null;
      }
      child ??= start(kind, cwd);
      const outcome = await ask(child, kind, file, seconds);
      // The next command must not be given to one that is dying.
      if (outcome.status === null) {
        letGo(child);
        child = null;
      }
      return outcome;
    },
    end() {
      if (child) kill(child);
    },
  };
}

function start({ command: [program, ...rest] }: SessionKind, cwd: string): ChildProcess {
  // Where the agent itself runs in Node, its commands may use it too.
  const env = {
    ...process.env,
    PATH: `${process.env.PATH ?? "/usr/bin:/bin"}:${path.dirname(process.execPath)}`,
  };
  const child = spawn(program, rest, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // A character that comes in two pieces is one.
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8");
  // Written to after it has died: the command's own outcome says so.
  child.stdin?.on("error", () => {});
  return child;
}

function ask(child: ChildProcess, kind: SessionKind, file: string, seconds: number): Promise<SessionOutcome> {
  const mark = `--mlebench-${randomBytes(12).toString("hex")}--`;
  const pattern = new RegExp(`\\n${mark} (-?\\d+)\\n`);
  return new Promise((resolve) => {
    let output = "";
    let before = "";
    let dropped = 0;
    const timer = setTimeout(
      () => {
        kill(child);
        settle({ status: null, stopped: true });
      },
      Math.min(seconds * 1000, MAX_WAIT_MS),
    );
    const listen = (piece: string) => {
      output += piece;
      // Only here: looking through all of a long output for every piece of it would take longer than the command.
      const here = before + piece;
      const end = pattern.exec(here);
      before = here.slice(-mark.length - 16);
      if (end) return settle({ status: Number(end[1]), stopped: false });
      if (output.length > MAX_OUTPUT) {
        dropped += output.length - MAX_OUTPUT / 2;
        output = output.slice(0, MAX_OUTPUT / 4) + output.slice(-MAX_OUTPUT / 4);
      }
    };
    const gone = (error?: Error) => {
      if (error) output += `\n${error.message}`;
      settle({ status: null, stopped: false });
    };
    const onError = (error: Error) => gone(error);
    const onExit = () => setTimeout(gone, 50);
    let settled = false;
    const settle = (outcome: Pick<SessionOutcome, "status" | "stopped">) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream?.off("data", listen);
      child.off("exit", onExit).off("error", onError);
      const note = dropped > 0 ? `\n[${dropped} characters of output were dropped]` : "";
      resolve({ ...outcome, output: output.replace(pattern, "") + note });
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", listen);
    child.on("exit", onExit).on("error", onError);
    child.stdin?.write(kind.line(file, mark));
  });
}

/** What has left the group may hold its streams for hours: they would keep us from ending as long. */
function letGo(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** The whole group: a command may have left others running. */
function kill(child: ChildProcess): void {
  letGo(child);
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
