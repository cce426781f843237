// full: compiles and runs every example of docs/typescript.md; library.test.ts calls the library in every run
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = fs.readFileSync(path.join(ROOT, "docs/typescript.md"), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^## (.+?)\n[\s\S]*?^```ts\n([\s\S]*?)^```/gm)].map(
  ([, title, code], i) => ({ title, code, file: `example-${i + 1}` }),
);

/** A project of a user's own, with the package installed as npm would. */
const project = temporaryFolder();
const MODULES = path.join(project, "node_modules");

beforeAll(() => {
  fs.mkdirSync(MODULES);
  fs.symlinkSync(ROOT, path.join(MODULES, "mlebench"));
  fs.symlinkSync(path.join(ROOT, "node_modules/@types"), path.join(MODULES, "@types"));
  writeText(project, "package.json", JSON.stringify({ type: "module" }));
  for (const { file, code } of EXAMPLES) writeText(project, `${file}.ts`, code);
  fs.cpSync(
    path.join(ROOT, "tests/fixtures/repositories/shelf/word-odds"),
    path.join(project, "my-repository"),
    { recursive: true },
  );
});

/** The strictest settings a user may have; the package's own declarations are checked as well. */
function compile(compiler: string, options: object) {
  const config = writeText(
    project,
    `tsconfig.${compiler}.json`,
    JSON.stringify({
      compilerOptions: {
        module: "nodenext",
        target: "es2023",
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        types: ["node"],
        ...options,
      },
      include: ["example-*.ts"],
    }),
  );
  const bin = path.join(ROOT, "node_modules", compiler, "bin/tsc");
  return spawnSync(process.execPath, [bin, "-p", config], { cwd: project, encoding: "utf8" });
}

test.each([
  ["typescript", "7."],
  ["typescript-5", "5.9."],
])("every example of the page passes %s %s", { timeout: 240_000 }, (compiler, version) => {
  const { version: installed } = JSON.parse(
    fs.readFileSync(path.join(ROOT, "node_modules", compiler, "package.json"), "utf8"),
  );
  expect(installed.startsWith(version), installed).toBe(true);
  const { status, stdout } = compile(compiler, { noEmit: true });
  expect([status, stdout]).toEqual([0, ""]);
});

describe("compiled", () => {
  beforeAll(() => {
    const { stdout } = compile("typescript", {});
    expect(stdout).toBe("");
  }, 240_000);

  test("the whole evaluation has 30 lines of code at most", () => {
    const [{ title, code }] = EXAMPLES;
    expect(title).toBe("A whole evaluation");
    expect(code.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(30);
  });

  test.each(EXAMPLES.map(({ title, file }) => [title, file]))(
    "%s runs",
    { timeout: 240_000 },
    (title, file) => {
      const ran = spawnSync(process.execPath, [`${file}.js`], { cwd: project, encoding: "utf8" });
      expect([ran.status, ran.stderr]).toEqual([0, ""]);
      if (title === "A whole evaluation") {
        expect(ran.stdout).toContain("reported");
        expect(ran.stdout).toContain("baseline exited");
        expect(fs.readFileSync(path.join(project, "evaluation/report.html"), "utf8")).toContain(
          "My first evaluation",
        );
      }
      if (title === "Grade") expect(ran.stdout).toContain("well-formed");
      if (title === "Run") expect(ran.stdout).toContain("2 finished, 0 wait");
      if (title?.startsWith("One trial")) expect(ran.stdout.match(/ done/g)).toHaveLength(2);
      if (title === "Verify") expect(ran.stdout.match(/consistent, but unsigned/g)).toHaveLength(3);
      if (title === "Repositories") expect(ran.stdout).toContain("main.js");
      if (title === "Exchange") expect(ran.stdout).toBe("[ 'exported' ]\nexported\n");
    },
  );
});

test("the page names every entry point, and has an example of each and of each job", () => {
  const { exports } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const code = EXAMPLES.map((example) => example.code).join("\n");
  for (const name of Object.keys(exports).map((one) => one.replace(/^\./, "mlebench"))) {
    expect(PAGE).toContain(`\`${name}\``);
    expect(code).toContain(`from "${name.replace(/\*$/, "")}`);
  }
  const titles = EXAMPLES.map(({ title }) => title).join("\n");
  for (const job of ["Prepare", "Run", "Resume", "Grade", "Aggregate", "Compare", "Report", "Agents"])
    expect(titles).toContain(job);
});

test("mlebench/metrics/* are the metrics, and nothing that only helps them", async () => {
  const built = fs.readdirSync(path.join(ROOT, "dist/metrics")).filter((name) => name.endsWith(".js"));
  const rooms = fs.readdirSync(path.join(ROOT, "src/metrics")).filter((room) => room !== "arithmetic");
  const metrics = rooms.flatMap((room) => fs.readdirSync(path.join(ROOT, "src/metrics", room)));
  expect(built.sort()).toEqual(metrics.map((name) => name.replace(/\.ts$/, ".js")).sort());
  const entry = (name: string) => import(name);
  expect(await entry("mlebench/metrics/roc-auc")).toHaveProperty("rocAuc");
  await expect(entry("mlebench/metrics/argsort")).rejects.toThrow();
  await expect(entry("mlebench/metrics/arithmetic/argsort")).rejects.toThrow();
  await expect(entry("mlebench/trials/group/run")).rejects.toThrow();
});
