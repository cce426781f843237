import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasProgram } from "../../tools.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const TINY = path.resolve("tests/fixtures/repositories/tiny");

describe("mlebench repo", () => {
  it("map shows a repository within its budget, the same twice, and as JSON and HTML", () => {
    const first = mlebench(["repo", "map", TINY, "--tokens", "600"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("Start: scripts/train.py --train --test");
    expect(Buffer.byteLength(first.stdout)).toBeLessThanOrEqual(600 * 3.6);
    expect(mlebench(["repo", "map", TINY, "--tokens", "600"]).stdout).toBe(first.stdout);
    const page = path.join(temporaryFolder(), "map.html");
    const map = json(mlebench(["repo", "map", TINY, "--json", "--html", page])) as {
      schema: string;
      modules: { path: string }[];
      calls: { from: string; to: string }[];
    };
    expect(map.schema).toBe("mlebench/repository-map");
    expect(map.modules[0].path).toBe("src/forest/trees/grow.py");
    expect(map.calls).toContainEqual({
      from: "scripts/train.py:main",
      to: "scripts/helper.py:save",
      line: 17,
    });
    expect(fs.readFileSync(page, "utf8")).toContain("src/forest/trees/grow.py");
    expect(fs.existsSync(path.join(TINY, "setup-was-run"))).toBe(false);
  });

  it("ask ranks modules for a question, and looks closer with a tool", () => {
    const answer = json(mlebench(["repo", "ask", TINY, "which split lowers impurity?", "--json"])) as {
      modules: { path: string }[];
    };
    expect(answer.modules[0].path).toBe("src/forest/trees/split.py");
    const references = mlebench(["repo", "ask", TINY, "best_split", "--tool", "references"]);
    expect(references.stdout).toContain("src/forest/trees/grow.py:grow");
    expect(mlebench(["repo", "ask", TINY, "zzzz qqqq"]).code).toBe(1);
    expect(mlebench(["repo", "ask", TINY, "zzzz", "--tool", "view"]).code).toBe(1);
    expect(mlebench(["repo", "ask", TINY, "x", "--tool", "nothing"]).code).toBe(2);
    expect(mlebench(["repo", "ask", TINY, " ?"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("NO_QUESTION"),
    });
    expect(mlebench(["repo", "map", "/no/such/folder"]).code).toBe(2);
    expect(mlebench(["repo", "map", temporaryFolder()]).code).toBe(3);
  });

  it("index: a folder and a bare mirror go in, a search names the right one with reasons, the network stays closed", () => {
    if (!hasProgram("git", "git histories of repositories")) return;
    const index = path.join(temporaryFolder(), "index");
    const work = temporaryFolder();
    writeText(
      work,
      "README.md",
      "# chirp\n\nClassifies bird songs from audio recordings by their spectrogram.\n",
    );
    writeText(work, "chirp.py", "def spectrogram(samples):\n    return samples\n");
    fs.symlinkSync("/etc/passwd", path.join(work, "passwd.py"));
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd,
        stdio: "pipe",
      });
    git(work, "init", "-q");
    git(work, "add", ".");
    git(work, "commit", "-qm", "one");
    const mirror = path.join(temporaryFolder(), "chirp.git");
    git(work, "clone", "-q", "--bare", ".", mirror);
    const added = mlebench([
      "repo",
      "index",
      "add",
      TINY,
      mirror,
      "https://example.org/x.git",
      "--index",
      index,
      "--json",
    ]);
    expect(added.code).toBe(1);
    const { results } = json(added) as {
      results: { status: string; problem?: { code: string }; repository?: { folder: string } }[];
    };
    expect(results.map(({ status }) => status)).toEqual(["added", "added", "refused"]);
    expect(results[2].problem?.code).toBe("NETWORK_CLOSED");
    expect(fs.readdirSync(results[1].repository?.folder ?? "")).toEqual(["README.md", "chirp.py"]);
    expect(mlebench(["repo", "index", "add", mirror, "--index", index]).stdout).toMatch(/^unchanged/);
    const listed = json(mlebench(["repo", "index", "list", "--index", index, "--json"])) as {
      repositories: { name: string }[];
    };
    expect(listed.repositories.map(({ name }) => name)).toEqual(["chirp", "tiny"]);
    const found = json(
      mlebench(["repo", "index", "search", "classify audio of birds", "--index", index, "--json"]),
    ) as {
      repositories: { name: string; reasons: Record<string, string[]> }[];
    };
    expect(found.repositories[0].name).toBe("chirp");
    expect(found.repositories[0].reasons.readme).toContain("audio");
    fs.writeFileSync(path.join(index, "broken.json"), "{");
    expect(mlebench(["repo", "index", "search", "random forest", "--index", index]).stdout).toMatch(/^tiny/);
    expect(mlebench(["repo", "index", "search", "zzzz", "--index", index]).code).toBe(1);
  });
});
