import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PAGE = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");

test("the walks through the house name rooms that exist, each once", () => {
  const walks = [...PAGE.matchAll(/^- (.+?): `([a-z/<>]+(?: → [a-z/<>]+)+)`/gm)].map(([, name, rooms]) => ({
    name,
    rooms: rooms.split(" → "),
  }));
  expect(walks.map(({ name }) => name)).toEqual([
    "a submission",
    "a trial",
    "preparing",
    "a model call",
    "a report",
    "a result in the browser",
  ]);
  for (const { name, rooms } of walks) {
    for (const room of rooms)
      expect(fs.existsSync(path.join(ROOT, "src", room)), `${name}: ${room}`).toBe(true);
    expect(new Set(rooms).size, name).toBe(rooms.length);
  }
});

test("the table of rooms names every room once, and none that is not there", () => {
  const rows = [...PAGE.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, room]) => room),
  );
  const rooms = fs
    .readdirSync(path.join(ROOT, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `src/${entry.name}`);
  expect(rows.toSorted()).toEqual([...rooms, "web"].toSorted());
});
