import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { goldenCases } from "./golden-cases.ts";
import { prepareCases } from "./prepare-cases.ts";

const VECTORS = path.join(import.meta.dirname, "vectors");

/** Over names and content, as the vectors were handed to us: they are never edited, neither here nor by a formatter. */
const RECEIVED = {
  grade: "ef5d5e92fd165e466d096d584013c7cd34094950846a2c32952e67e3f4e94cb2",
  "grade-small.json": "3e5cc85dc4bb76afa000d7e319392995e100785151978ca7862316a3b76aad64",
  prepare: "262797013239322cf4775749016820540832697033c2675d23b6e60a00813ae5",
};

function filesBelow(place: string): string[] {
  const whole = path.join(VECTORS, place);
  if (!fs.statSync(whole).isDirectory()) return [place];
  return (fs.readdirSync(whole, { recursive: true }) as string[])
    .map((name) => path.join(place, name))
    .filter((name) => fs.statSync(path.join(VECTORS, name)).isFile());
}

const digestOf = (algorithm: string, content: string | Uint8Array) =>
  createHash(algorithm).update(content).digest("hex");

test.each(Object.entries(RECEIVED))("the golden vectors %s are as they were received", (place, expected) => {
  const lines = filesBelow(place)
    .sort()
    .map((name) => `${name} ${digestOf("sha256", fs.readFileSync(path.join(VECTORS, name)))}\n`);
  expect(digestOf("sha256", lines.join(""))).toBe(expected);
});

test("every file of the recorded gradings belongs to a case that is graded", () => {
  const cases = [...goldenCases().values()].flat();
  const used = new Set(cases.flatMap(({ submission, answers }) => [submission, answers]));
  const unused = filesBelow("grade").filter(
    (name) => path.basename(name) !== "cases.json" && !used.has(path.join(VECTORS, name)),
  );
  expect(unused).toEqual([]);
  expect(new Set(cases.map(({ competitionId }) => competitionId)).size).toBe(82);
});

test("every recorded preparation has its raw data, and the texts kept with it are those it expects", () => {
  const cases = prepareCases();
  expect(new Set(cases.map(({ id }) => id)).size).toBe(82);
  const wrong = cases.flatMap(({ folder, rawZip, recipe, expected }) => {
    const place = path.relative(VECTORS, folder);
    const kept = filesBelow(place).filter((name) => name.startsWith(path.join(place, "expected") + path.sep));
    const differing = kept.filter((name) => {
      const [, part, file] = name.slice(place.length + 1).match(/^expected\/(public|private)\/(.*)$/) ?? [];
      const record = expected[part as "public" | "private"]?.[file];
      if (record === undefined || !("md5" in record)) return false;
      return digestOf("md5", fs.readFileSync(path.join(VECTORS, name))) !== record.md5;
    });
    return rawZip === null && recipe === null ? [`${place} has no input`, ...differing] : differing;
  });
  expect(wrong).toEqual([]);
});
