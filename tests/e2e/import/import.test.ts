import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const LEAF = "leaf-classification";
const SPOOKY = "spooky-author-identification";

function checkout(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files))
    writeText(folder, `mlebench/competitions/${name}`, content);
  return folder;
}

const read = (...parts: string[]) => fs.readFileSync(path.join(...parts), "utf8");

describe("import", () => {
  it("takes descriptions, leaderboards and notebook lists, and lists what is missing", () => {
    const data = temporaryFolder();
    const original = checkout({
      [`${LEAF}/description.md`]: "# Official\n",
      [`${LEAF}/leaderboard.csv`]: "teamName,score\na,0.1\n",
      [`${LEAF}/kernels.txt`]: "someone/notebook\n",
      [`${SPOOKY}/description.md`]: "# Spooky\n",
    });
    const { code, stdout } = mlebench(["import", original, "--data-dir", data]);
    expect(code).toBe(1);
    expect(stdout).toContain("description: 2 imported; 80 missing");
    expect(read(data, LEAF, "description.md")).toBe("# Official\n");
    expect(read(data, LEAF, "leaderboard.csv")).toContain("a,0.1");
    expect(read(data, LEAF, "notebooks.txt")).toBe("someone/notebook\n");
  });

  it("keeps texts of the user's own unless forced", () => {
    const data = temporaryFolder();
    writeText(data, `${LEAF}/description.md`, "mine\n");
    const original = checkout({ [`${LEAF}/description.md`]: "theirs\n" });
    const kept = mlebench(["import", original, "--data-dir", data]);
    expect(kept.stdout).toContain(`1 kept as they are, --force replaces them (${LEAF})`);
    expect(read(data, LEAF, "description.md")).toBe("mine\n");
    mlebench(["import", original, "--data-dir", data, "--force"]);
    expect(read(data, LEAF, "description.md")).toBe("theirs\n");
  });

  it("refuses pointers of git-lfs, broken boards and links, each with the reason", () => {
    const data = temporaryFolder();
    const original = checkout({
      [`${LEAF}/leaderboard.csv`]: "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      [`${SPOOKY}/leaderboard.csv`]: "team,points\na,1\n",
      [`${SPOOKY}/description.md`]: "words\n",
    });
    fs.symlinkSync("/etc/passwd", path.join(original, "mlebench/competitions", LEAF, "description.md"));
    const { competitions } = JSON.parse(mlebench(["import", original, "--data-dir", data, "--json"]).stdout);
    const refused = (id: string) =>
      competitions.find(({ competitionId }: { competitionId: string }) => competitionId === id).refused;
    expect(refused(LEAF)).toEqual([
      { kind: "description", reason: "it is not a regular file" },
      { kind: "leaderboard", reason: expect.stringContaining("git lfs pull") },
    ]);
    expect(refused(SPOOKY)).toEqual([{ kind: "leaderboard", reason: "no column is called score" }]);
    expect(fs.existsSync(path.join(data, LEAF))).toBe(false);
  });

  it("says so when the folder is not a checkout", () => {
    const { code, stderr } = mlebench(["import", temporaryFolder()]);
    expect(code).toBe(2);
    expect(stderr).toContain("NO_CHECKOUT");
  });
});
