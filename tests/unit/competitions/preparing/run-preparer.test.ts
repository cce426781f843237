import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { definePreparer, type Preparer } from "../../../../src/competitions/preparer.ts";
import { copyNamed, copyTree } from "../../../../src/competitions/preparing/files/copy-files.ts";
import { unpackRaw } from "../../../../src/competitions/preparing/files/nested-archive.ts";
import { openRawCsv, readColumns } from "../../../../src/competitions/preparing/rows/raw-csv.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { splitItems } from "../../../../src/competitions/preparing/splits/split-rows.ts";
import { preparer as pizza } from "../../../../src/competitions/random-acts-of-pizza/prepare.ts";
import { read, workshop } from "./workshop.ts";

function run(preparer: Preparer, raw: Record<string, string> = {}, more = {}) {
  const { preparation, out } = workshop(raw);
  return runPreparer({ preparer, raw: preparation.raw, out, ...more });
}

test("a raw file that is not there is named, with what to do", async () => {
  const outcome = await run(
    definePreparer({
      async prepare(preparation) {
        await openRawCsv(preparation, join(preparation.raw, "train.csv"));
      },
    }),
  );
  expect(outcome).toMatchObject({
    status: "failed",
    problem: { code: "RAW_FILE_MISSING", file: "train.csv", next: expect.stringContaining("download") },
  });
});

test("a missing image is named by its path in the raw folder", async () => {
  const outcome = await run(
    definePreparer({
      async prepare(preparation) {
        await copyNamed(preparation, join(preparation.raw, "train"), preparation.public, ["a.png", "b.png"]);
      },
    }),
    { "train/a.png": "a" },
  );
  expect(outcome).toMatchObject({ status: "failed", problem: { file: "train/b.png" } });
});

test("a missing column, a broken table, a broken archive and an impossible split are problems, not errors", async () => {
  const raw = { "ok.csv": "a\n1\n", "broken.csv": 'a\n"open\n', "nested.zip": "no zip" };
  const outcomes = [
    async (p: Parameters<Preparer["prepare"]>[0]) => {
      readColumns(await openRawCsv(p, join(p.raw, "ok.csv")), ["b"]);
    },
    async (p: Parameters<Preparer["prepare"]>[0]) => {
      await openRawCsv(p, join(p.raw, "broken.csv"));
    },
    async (p: Parameters<Preparer["prepare"]>[0]) => {
      await unpackRaw(p, "nested.zip");
    },
    async () => {
      splitItems(1, 0.5);
    },
  ].map((prepare) => run({ prepare }, raw));
  const codes = (await Promise.all(outcomes)).map(
    (outcome) => outcome.status === "failed" && outcome.problem.code,
  );
  expect(codes).toEqual(["RAW_MALFORMED", "RAW_MALFORMED", "RAW_ARCHIVE", "SPLIT_IMPOSSIBLE"]);
});

test("a bug in a preparer is thrown, not reported as bad data", async () => {
  const broken: Preparer = {
    async prepare() {
      throw new TypeError("oops");
    },
  };
  await expect(run(broken)).rejects.toThrow("oops");
});

test("settings replace defaults; unknown ones and wrong types are refused", async () => {
  const seen: unknown[] = [];
  const preparer = definePreparer({
    settings: { test_size: 0.1 },
    async prepare({ settings }) {
      seen.push(settings.test_size);
    },
  });
  await run(preparer);
  await run(preparer, {}, { settings: { test_size: 41 } });
  expect(seen).toEqual([0.1, 41]);
  expect(await run(preparer, {}, { settings: { size: 1 } })).toMatchObject({
    problem: { code: "BAD_SETTING" },
  });
  expect(await run(preparer, {}, { settings: { test_size: "x" } })).toMatchObject({
    problem: { code: "BAD_SETTING" },
  });
});

test("leftovers of an earlier attempt are gone, and so is the scratch folder afterwards", async () => {
  const { preparation, out } = workshop({ "a/b.txt": "b" });
  fs.writeFileSync(join(out, "public", "old.csv"), "old");
  const preparer = definePreparer({
    async prepare(p) {
      fs.writeFileSync(join(p.scratch, "t"), "");
      await copyTree(p, join(p.raw, "a"), join(p.public, "a"));
    },
  });
  expect(await runPreparer({ preparer, raw: preparation.raw, out })).toEqual({
    status: "prepared",
    warnings: [],
  });
  expect(fs.readdirSync(out).sort()).toEqual(["private", "public"]);
  expect(fs.readdirSync(join(out, "public"), { recursive: true })).toEqual(["a", "a/b.txt"]);
});

test("a copy does not share later changes with the raw file", async () => {
  const { preparation } = workshop({ "a.txt": "before" });
  await copyNamed(preparation, preparation.raw, preparation.public, ["a.txt"]);
  fs.appendFileSync(join(preparation.public, "a.txt"), " after");
  expect(read(preparation.raw, "a.txt")).toBe("before");
});

test("an interruption is an outcome of its own", async () => {
  const controller = new AbortController();
  controller.abort();
  const raw = { "a.txt": "a" };
  const preparer = definePreparer({
    async prepare(p) {
      await copyNamed(p, p.raw, p.public, ["a.txt"]);
    },
  });
  expect(await run(preparer, raw, { signal: controller.signal })).toEqual({ status: "interrupted" });
});

test("a competition without a second version says so", async () => {
  const outcome = await run({ async prepare() {} }, {}, { version: "v2" });
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "NO_SUCH_VERSION" } });
});

test("version v2 of random-acts-of-pizza drops the giver, v1 keeps it", async () => {
  const request = (i: number) =>
    `{"request_id": "t${i}", "giver_username_if_known": "g${i}", "requester_received_pizza": ${i % 2 === 0}}`;
  const old = '{"request_id": "o", "giver_username_if_known": "N/A"}';
  const list = (items: string[]) => `[${items.join(",")}]`;
  const { preparation, out } = workshop({
    "train.json": list([0, 1, 2, 3].map(request)),
    "test.json": list([old, old]),
  });
  for (const version of ["v1", "v2"] as const) {
    await runPreparer({ preparer: pizza, raw: preparation.raw, out, version });
    for (const file of ["train.json", "test.json"]) {
      expect(read(out, "public", file).includes("giver_username")).toBe(version === "v1");
    }
    expect(read(out, "private", "test.csv")).toMatch(
      /^request_id,requester_received_pizza\n(t\d,[01]\n){2}$/,
    );
  }
});
