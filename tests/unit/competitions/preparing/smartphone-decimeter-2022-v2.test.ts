import { expect, test } from "vitest";
import { listTree } from "../../../../src/competitions/preparing/files/list-files.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer } from "../../../../src/competitions/smartphone-decimeter-2022/prepare.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(version: "v1" | "v2", truthOf: (day: number) => string = () => "1,36.5,-122.5") {
  const raw: Record<string, string> = { "metadata/map.json": "{}" };
  for (let day = 1; day <= 10; day++) {
    const phone = `train/2021-1-${day}-US-MTV/Pixel4`;
    raw[`${phone}/ground_truth.csv`] = `UnixTimeMillis,LatitudeDegrees,LongitudeDegrees\n${truthOf(day)}\n`;
    raw[`${phone}/supplemental/span_log.nmea`] = "$GPGGA";
    raw[`${phone}/supplemental/rinex.o`] = "rinex";
  }
  const { preparation, out } = workshop(raw);
  const settings = { test_size: 0.2 };
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version, settings });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  return { files: listTree(`${out}/public`), out };
}

test("version v1 keeps the log of the reference receiver in the test drives", async () => {
  const { files } = await prepared("v1");
  expect(files.filter((file) => /^test.*span_log\.nmea$/.test(file))).toHaveLength(2);
});

test("version v2 keeps that log in the training drives only", async () => {
  const { files } = await prepared("v2");
  expect(files.filter((file) => /^test/.test(file))).toEqual([
    "test/2021-1-3-US-MTV/Pixel4/supplemental/rinex.o",
    "test/2021-1-9-US-MTV/Pixel4/supplemental/rinex.o",
  ]);
  expect(files.filter((file) => /^train.*span_log\.nmea$/.test(file))).toHaveLength(8);
});

test("whole degrees in one drive are floats when another drive has fractions", async () => {
  const { out } = await prepared("v1", (day) => (day === 9 ? "7,36,-122" : "1,36.5,-122.5"));
  expect(read(out, "private/test.csv")).toBe(
    "tripId,UnixTimeMillis,LatitudeDegrees,LongitudeDegrees\n2021-1-3-US-MTV-Pixel4,1,36.5,-122.5\n2021-1-9-US-MTV-Pixel4,7,36.0,-122.0\n",
  );
});
