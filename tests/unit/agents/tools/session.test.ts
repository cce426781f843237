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
});
