import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/trials/certificate/canonical-json.ts";
import { openEvents, readEvents } from "../../../src/trials/trial/events.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;

function recordOf(count: number): string {
  const file = path.join(folder, `${files++}.jsonl`);
  const log = openEvents(file);
  for (let i = 0; i < count; i++) log.append("submission", { sha256: `${i}`, text: "ünïcode\n" });
  log.close();
  return file;
}

test("a record is read back as a whole chain", () => {
  const { events, problem } = readEvents(recordOf(5));
  expect(problem).toBeNull();
  expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
  expect(events[0].previous).toBe("0".repeat(64));
});

test("one changed, removed or swapped line breaks the chain", () => {
  const file = recordOf(4);
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
  const broken = (changed: string[]) => {
    fs.writeFileSync(file, `${changed.join("\n")}\n`);
    return readEvents(file).problem;
  };
  expect(broken([lines[0], lines[1].replace('"1"', '"7"'), lines[2], lines[3]])).toBe(
    "the chain breaks at line 2",
  );
  expect(broken([lines[0], lines[2], lines[3]])).toBe("the chain breaks at line 2");
  expect(broken([lines[1], lines[0], lines[2], lines[3]])).toBe("the chain breaks at line 1");
  expect(broken([lines[0], "{}", lines[2]])).toBe("line 2 is not an event");
});

test("after a kill at any byte the record goes on with what was whole", () => {
  const whole = fs.readFileSync(recordOf(3));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
      const file = path.join(folder, `${files++}.jsonl`);
      fs.writeFileSync(file, whole.subarray(0, cut));
      const before = readEvents(file).events.length;
      const log = openEvents(file);
      log.append("recovered");
      log.close();
      const { events, problem } = readEvents(file);
      expect(problem).toBeNull();
      expect(events).toHaveLength(before + 1);
    }),
    { numRuns: 60 },
  );
});

test("nothing is written after the record was closed", () => {
  const log = openEvents(path.join(folder, "closed.jsonl"));
  log.close();
  expect(() => log.append("ended")).toThrow("after the record was closed");
});

test("canonical JSON does not depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      // -0 is 0 in JSON.
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
  );
});
