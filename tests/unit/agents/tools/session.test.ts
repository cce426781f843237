import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openSession, PYTHON, type Session, SHELL } from "../../../../src/agents/tools/session.ts";

const open: { session: Session; folder: string }[] = [];
afterEach(() => {
  for (const { session, folder } of open.splice(0)) {
    session.end();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

function start(kind: typeof SHELL): Session {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-session-"));
  const session = openSession(kind, path.join(folder, "commands"), folder);
  open.push({ session, folder });
  return session;
}

describe("a shell session", () => {
  test("keeps what one command sets for the next, and says how each ended", async () => {
    const shell = start(SHELL);
    expect(await shell.run("cd /; export NAME=value", 10)).toMatchObject({ status: 0 });
    expect((await shell.run('echo "$PWD $NAME"', 10)).output.trim()).toBe("/ value");
    expect(await shell.run("(exit 7)", 10)).toMatchObject({ status: 7, stopped: false });
  });

  test("a quotation mark that is never closed is an error of that command only", async () => {
    const shell = start(SHELL);
    expect((await shell.run("echo 'never closed", 10)).status).not.toBe(0);
    expect((await shell.run("echo fine", 10)).output.trim()).toBe("fine");
  });

  test("a command that never ends is stopped with all it started, and the next one works", async () => {
    const shell = start(SHELL);
    expect(await shell.run("sleep 1000 & sleep 1000", 1)).toMatchObject({ status: null, stopped: true });
    expect((await shell.run("echo again", 10)).output.trim()).toBe("again");
  });

  test.each(["", "; exit 3"])(
    "what was left behind in a session of its own keeps nobody waiting%s",
    async (ending) => {
      const pipes = () => process.getActiveResourcesInfo().filter((one) => one === "PipeWrap").length;
      const before = pipes();
      const shell = start(SHELL);
      const { output } = await shell.run(`setsid sleep 600 & echo "pid $!"${ending}`, 10);
      shell.end();
      try {
        await expect.poll(pipes).toBeLessThanOrEqual(before);
      } finally {
        process.kill(Number(/pid (\d+)/.exec(output)?.[1]), "SIGKILL");
        await expect.poll(pipes).toBeLessThanOrEqual(before);
      }
    },
  );

  test("a command that ends the shell itself is told apart, and the next one works", async () => {
    const shell = start(SHELL);
    expect(await shell.run("echo bye; exit 3", 10)).toMatchObject({ status: null, stopped: false });
    expect((await shell.run("echo again", 10)).output.trim()).toBe("again");
  });

  test("output of 50 MB and of raw bytes arrives cut, and in time", async () => {
    const shell = start(SHELL);
    const { output, status } = await shell.run("head -c 50000000 /dev/urandom; echo the end", 60);
    expect(status).toBe(0);
    expect(output.length).toBeLessThan(5_000_000);
    expect(output).toContain("the end");
  });

  test("a command that sends the shell's own output elsewhere, or leaves a flood behind, ends when it ends", async () => {
    const shell = start(SHELL);
    const hidden = await shell.run("exec > elsewhere.txt 2>&1; echo hidden", 20);
    expect(hidden).toMatchObject({ status: 0, output: "" });
    const flood = await shell.run("(head -c 300000 /dev/zero | tr '\\0' x) & sleep 0.1; echo seen", 20);
    expect(flood).toMatchObject({ status: 0, output: expect.stringContaining("seen") });
    expect((await shell.run("wait; cat elsewhere.txt", 20)).output).toContain("hidden");
  });

  test("a limit beyond what a timer can count is none, not zero", async () => {
    expect(await start(SHELL).run("sleep 0.2; echo done", 1e9)).toMatchObject({ status: 0, stopped: false });
  });

  test("nothing waits for input that nobody can give", async () => {
    expect(await start(SHELL).run("read line; echo got", 10)).toMatchObject({ stopped: false });
  });
});

describe.skipIf(spawnSync("python3", ["--version"]).status !== 0)("a Python session", () => {
  test("keeps variables, shows tracebacks where they happened, and survives exit()", async () => {
    const python = start(PYTHON);
    await python.run("x = 41", 10);
    expect((await python.run("print(x + 1)", 10)).output.trim()).toBe("42");
    const failed = await python.run("print('before')\n1 / 0", 10);
    expect(failed.output).toMatch(/before[\s\S]*ZeroDivisionError/);
    expect(failed.status).toBe(1);
    expect(await python.run("import sys; sys.exit(5)", 10)).toMatchObject({ status: 5 });
    expect((await python.run("print(x)", 10)).output.trim()).toBe("41");
  });
  test("code that reads its input, or replaces and closes its output, ends, and its classes can be pickled", async () => {
    const python = start(PYTHON);
    expect((await python.run("print(input())", 30)).output).toContain("EOFError");
    const hidden = await python.run(
      "import sys\nsys.stdout = open('elsewhere.txt', 'w')\nprint('hidden')",
      30,
    );
    expect(hidden).toMatchObject({ status: 0, output: "" });
    const pickled = "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))).__name__)";
    expect((await python.run(pickled, 30)).output.trim()).toBe("A");
    expect(await python.run("sys.stdout.close()", 30)).toMatchObject({ status: 0 });
    const last = await python.run("import subprocess\nprint(subprocess.run(['cat']).returncode)", 30);
    expect(last).toMatchObject({ status: 0, output: expect.stringContaining("0") });
  });
});
