import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openCassette } from "../../../../src/models/cassettes/record.ts";
import { loadCassette } from "../../../../src/models/cassettes/replay.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

test("a cassette that is full takes no further call, and what it holds can be replayed", () => {
  const file = path.join(temporaryFolder(), "run.jsonl");
  const recorder = openCassette(file, { default: "m" }, "test", 2000);
  if ("code" in recorder) throw new Error(recorder.message);
  const entry = {
    lane: "l",
    key: "k",
    parts: [],
    protocol: "chat",
    status: 200,
    contentType: "",
    ledger: {},
  };
  for (let i = 0; i < 100; i++) recorder.add(entry, Buffer.from(`reply ${i}${"x".repeat(300)}`));
  expect(recorder.isFull()).toBe(true);
  expect(fs.statSync(file).size).toBeLessThan(3000);
  const cassette = loadCassette(file);
  if ("code" in cassette) throw new Error(cassette.message);
  expect(cassette.play("l", { key: "k", parts: [] })).toMatchObject({ status: "found" });
});
