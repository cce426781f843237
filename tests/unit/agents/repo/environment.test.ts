// full: virtual environments and pip take tens of seconds on a busy machine
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { environmentText, inEnvironment, makeEnvironment } from "../../../../src/agents/repo/environment.ts";
import { mapRepository } from "../../../../src/repositories/map/repository-map.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";
import { hasProgram } from "../../../tools.ts";

const WHEEL = `
import sys, zipfile
folder, name, version = sys.argv[1:4]
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
    info = f"{name}-{version}.dist-info"
    wheel.writestr(f"{name}/__init__.py", f"WORD = 'hello from {version}'\\n")
    wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/RECORD", "")
`;

function scene(requirements: string) {
  const root = temporaryFolder();
  const materials = path.join(root, "materials");
  writeText(materials, "repo/main.py", "import mle_greet\n");
  writeText(materials, "repo/requirements.txt", requirements);
  // Were it run, nobody would wait for its end.
  writeText(materials, "repo/setup.py", "while True: pass\n");
  fs.mkdirSync(path.join(materials, "wheels"));
  const wheel = (name: string, version: string) =>
    execFileSync("python3", ["-c", WHEEL, path.join(materials, "wheels"), name, version]);
  return { root, materials, wheel };
}

const spoken = () =>
  spawnSync("python3", ["-c", "import mle_greet; print(mle_greet.WORD)"], { encoding: "utf8" });

test("a repository gets an environment from the wheels of the materials alone, and what is broken or missing is said", {
  timeout: 120_000,
}, async () => {
  if (!hasProgram("python3", "environments of repositories")) return;
  const { root, materials, wheel } = scene(
    "mle-greet==2.0\nmle_nowhere>=1\n!!! not a requirement ???\ngit+https://example.org/x.git\n",
  );
  wheel("mle_greet", "1.0");
  const map = await mapRepository(path.join(materials, "repo"));
  const made = makeEnvironment(map, materials, { seconds: 100.125, place: root });
  expect(made).toMatchObject({
    relaxed: ["mle-greet==2.0"],
    missing: ["mle_nowhere>=1"],
    met: [],
    broken: ["requirements.txt: !!! not a requirement ???"],
  });
  expect(["venv", "folder"]).toContain(made.kind);
  await inEnvironment(made, async () => {
    expect(spoken().stdout).toBe("hello from 1.0\n");
    expect(process.env.PIP_NO_INDEX).toBe("1");
  });
  // Nothing of it stays behind.
  expect(spoken().status).not.toBe(0);
  expect(environmentText(made)).toMatch(
    /another version: mle-greet==2\.0; missing, do without them: mle_nowhere/,
  );
});

test("two repositories do not share an environment, and without requirements there is nothing to say", {
  timeout: 120_000,
}, async () => {
  if (!hasProgram("python3", "environments of repositories")) return;
  const [a, b, c] = [scene("mle_greet\n"), scene("mle_greet\n"), scene("")];
  a.wheel("mle_greet", "1.0");
  b.wheel("mle_greet", "3.0");
  const made = await Promise.all(
    [a, b, c].map(async ({ root, materials }) =>
      makeEnvironment(await mapRepository(path.join(materials, "repo")), materials, {
        seconds: 100,
        place: root,
      }),
    ),
  );
  expect(made.map(({ met }) => met)).toEqual([["mle_greet"], ["mle_greet"], []]);
  for (const [i, word] of ["hello from 1.0\n", "hello from 3.0\n"].entries())
    await inEnvironment(made[i], async () => expect(spoken().stdout).toBe(word));
  expect(environmentText(made[2])).toContain("nothing is required");
});

test("an environment that cannot be made is said, and is none", async () => {
  const { materials } = scene0();
  const map = await mapRepository(path.join(materials, "repo"));
  const made = makeEnvironment(map, materials, { seconds: 5, place: path.join(materials, "not/there") });
  expect(made.kind).toBe("none");
  expect(made.notes[0]).toMatch(/could not be made|no Python/);
});

test("without a Python there is none, and that is said", async () => {
  const { materials } = scene0();
  const before = process.env.PATH;
  process.env.PATH = temporaryFolder();
  try {
    const made = makeEnvironment(await mapRepository(path.join(materials, "repo")), materials, {
      seconds: 5,
    });
    expect(made).toMatchObject({ kind: "none", missing: ["numpy"], notes: ["there is no Python here"] });
  } finally {
    process.env.PATH = before;
  }
});

function scene0() {
  const materials = temporaryFolder();
  writeText(materials, "repo/main.py", "x = 1\n");
  writeText(materials, "repo/requirements.txt", "numpy\n");
  return { materials };
}
