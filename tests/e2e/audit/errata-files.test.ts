import { describe, expect, it } from "vitest";
import { gestureMat } from "./mat-writer.ts";
import { sevenZipOf, tarGzOf, zipOf } from "./packed.ts";
import {
  auditCatalogued,
  csv,
  failedChecks,
  grave,
  hexIds,
  type PreparedFiles,
  randomNumbers,
} from "./prepared-set.ts";

describe("tensorflow-speech-recognition-challenge", () => {
  const id = "tensorflow-speech-recognition-challenge";
  const speakers = Array.from(
    { length: 12 },
    (_, i) => `${(0x0a7c2a8d + 7919 * i).toString(16).padStart(8, "0")}`,
  );
  const words = ["yes", "no", "bed", "happy"];
  const names = (count: number) =>
    Array.from({ length: count }, (_, i) => `clip_${String(i).padStart(8, "0")}.wav`);
  const train: PreparedFiles = {};
  for (const word of words)
    for (const speaker of speakers)
      for (const n of [0, 1, 2])
        train[`public/train/audio/${word}/${speaker}_nohash_${n}.wav`] = `RIFF ${word}${speaker}${n}`;
  const tables = (label: (i: number) => string, sample: (i: number) => string): PreparedFiles => ({
    "private/test.csv": csv(
      ["fname", "label"],
      names(16).map((name, i) => [name, label(i)]),
    ),
    "public/sample_submission.csv": csv(
      ["fname", "label"],
      names(16).map((name, i) => [name, sample(i)]),
    ),
  });
  const clips = Object.fromEntries(
    names(16).map((name, i) => [`public/test/audio/${name}`, `RIFF clip ${i}`]),
  );

  it("answers of 30 words against a sample of other classes are a defect", async () => {
    const report = await auditCatalogued(id, {
      ...train,
      ...clips,
      ...tables(
        (i) => words[i % 4],
        () => "silence",
      ),
    });
    expect(grave(report)).toEqual([
      expect.objectContaining({
        check: "sample-submission",
        evidence: expect.objectContaining({ column: "label", figure: 1 }),
      }),
    ]);
  });

  it("speakers that the names of train and test files share are a defect", async () => {
    const named = Object.fromEntries(
      speakers.map((speaker) => [`public/test/audio/${speaker}_nohash_3.wav`, "RIFF"]),
    );
    const files = {
      ...train,
      ...named,
      ...tables(
        (i) => words[i % 2],
        (i) => words[(i + 1) % 2],
      ),
    };
    expect(await failedChecks(id, files)).toContain("shared-groups");
  });

  it("anonymous test clips are a warning when train's series have gaps", async () => {
    const gaps = Object.fromEntries(Object.entries(train).filter(([name]) => !/yes\/.*_1\.wav/.test(name)));
    const { findings } = await auditCatalogued(id, {
      ...gaps,
      ...clips,
      ...tables(
        (i) => words[i % 4],
        (i) => words[(i % 4) ^ 1],
      ),
    });
    expect(findings).toContainEqual(expect.objectContaining({ check: "shared-groups", severity: "warning" }));
  });

  it("mapped labels and speakers apart are quiet", async () => {
    const files = {
      ...train,
      ...clips,
      ...tables(
        (i) => words[i % 2],
        (i) => words[(i * 7) % 3 === 0 ? 0 : 1],
      ),
    };
    expect(await failedChecks(id, files)).toEqual([]);
  });
});

describe("invasive-species-monitoring", () => {
  const id = "invasive-species-monitoring";
  const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
  const pictures = (from: number) =>
    Object.fromEntries(numbers.map((n) => [`${n + from}.jpg`, `jpeg ${n + from}`]));
  const sample = csv(
    ["name", "invasive"],
    numbers.map((n) => [n, 0.5]),
  );
  const base = async (): Promise<PreparedFiles> => ({
    "public/train_labels.csv.zip": await zipOf({
      "train_labels.csv": csv(
        ["name", "invasive"],
        numbers.map((n) => [n + 100, n % 2]),
      ),
    }),
    "private/answers.csv": csv(
      ["name", "invasive"],
      numbers.map((n) => [n, n % 3 === 0 ? 1 : 0]),
    ),
    "private/sample_submission.csv": sample,
  });

  it("archives without the images, and a sample that is private, are defects", async () => {
    const hollow = {
      "public/train.7z": await sevenZipOf({ "train/": "" }),
      "public/test.7z": await sevenZipOf({ "test/": "" }),
    };
    const findings = grave(await auditCatalogued(id, { ...(await base()), ...hollow }));
    expect(findings.map(({ check, file }) => `${check} ${file}`)).toEqual([
      "sample-submission sample_submission.csv",
      "archive-content test.7z",
      "archive-content train.7z",
    ]);
  });

  it("an archive that lacks one image of its list is a defect that names it", async () => {
    const { "7.jpg": _, ...rest } = pictures(0);
    const files = {
      ...(await base()),
      "public/sample_submission.csv": sample,
      "public/test.7z": await sevenZipOf(rest),
    };
    const findings = grave(await auditCatalogued(id, files));
    expect(findings).toEqual([expect.objectContaining({ check: "archive-content" })]);
    expect(findings[0].evidence.what).toContain("1 of 12 ids have no file in the archive, such as 7");
  });

  it("full archives and a public sample are quiet", async () => {
    const packed = {
      "public/train.7z": await sevenZipOf(pictures(100)),
      "public/test.7z": await sevenZipOf(pictures(0)),
    };
    const files = { ...(await base()), ...packed, "public/sample_submission.csv": sample };
    expect(await failedChecks(id, files)).toEqual([]);
  });
});

describe("multi-modal-gesture-recognition", () => {
  const id = "multi-modal-gesture-recognition";
  const ids = Array.from({ length: 6 }, (_, i) => String(i + 1).padStart(4, "0"));
  const words = ["vattene", "vieniqui", "perfetto", "ok"];
  const tables: PreparedFiles = {
    "public/test.csv": csv(
      ["Id"],
      ids.map((name) => [name]),
    ),
    "public/training.csv": csv(
      ["Id", "Sequence"],
      [
        ["0401", "3 1 2"],
        ["0402", "2 2"],
      ],
    ),
    "public/randomPredictions.csv": csv(
      ["Id", "Sequence"],
      ids.map((name) => [name, "1 2 3 4"]),
    ),
    "private/test.csv": csv(
      ["Id", "Sequence"],
      ids.map((name, i) => [name, `${i + 3} ${i + 1} 7 ${i + 2}`]),
    ),
  };
  const recordings = async (mat: (i: number) => Buffer) => {
    const samples: Record<string, Buffer> = {};
    for (const [i, name] of ids.entries())
      samples[`Sample0${name}.zip`] = await zipOf({
        [`Sample0${name}_data.mat`]: mat(i),
        [`Sample0${name}_audio.wav`]: "RIFF",
      });
    return { "public/test.tar.gz": await tarGzOf(samples) };
  };

  it("labels in the .mat files of the packed test recordings are a leak", async () => {
    const files = { ...tables, ...(await recordings((i) => gestureMat([words[i % 4], words[(i + 1) % 4]]))) };
    const findings = grave(await auditCatalogued(id, files));
    expect(findings).toEqual([
      expect.objectContaining({
        check: "answers-in-files",
        severity: "leak",
        file: "test.tar.gz/Sample00001.zip/Sample00001_data.mat",
        evidence: expect.objectContaining({ column: "Video.Labels.Name", measuredOn: 6 }),
      }),
    ]);
    expect(findings[0].evidence.what).toContain("vattene");
  });

  it.each([
    ["without labels", () => gestureMat([])],
    ["with blanked labels", () => gestureMat(["", ""])],
  ])("recordings %s are quiet", async (_, mat) => {
    expect(await failedChecks(id, { ...tables, ...(await recordings(mat)) })).toEqual([]);
  });
});

describe("smartphone-decimeter-2022", () => {
  const id = "smartphone-decimeter-2022";
  const drives = ["2020-05-14-US-MTV-1", "2021-03-16-US-RWC-2", "2020-08-04-US-SFO-3"];
  const random = randomNumbers(4);
  const rows = drives.flatMap((drive) =>
    [0, 1, 2].map((n) => [`${drive}-GooglePixel4`, 1589494502000 + n * 1000, 37 + random(), -122 + random()]),
  );
  const header = ["tripId", "UnixTimeMillis", "LatitudeDegrees", "LongitudeDegrees"];
  const files: PreparedFiles = {
    "public/sample_submission.csv": csv(
      header,
      rows.map(([trip, time]) => [trip, time, 37.9, -86.4]),
    ),
    "private/test.csv": csv(header, rows),
    "public/metadata/raw_state_bit_map.json": "{}",
  };
  for (const drive of drives) {
    const phone = `public/test/${drive}/GooglePixel4`;
    files[`${phone}/device_imu.csv`] = "utcTimeMillis,x\n1,2\n";
    files[`${phone}/device_gnss.csv`] = "utcTimeMillis,y\n1,2\n";
    files[`${phone}/supplemental/rinex.o`] = "RINEX";
  }

  it("a span_log.nmea beside the described files of the test set is a defect", async () => {
    const logs = drives.map((drive) => [
      `public/test/${drive}/GooglePixel4/supplemental/span_log.nmea`,
      "$GPGGA,1,2,N",
    ]);
    const findings = grave(await auditCatalogued(id, { ...files, ...Object.fromEntries(logs) }));
    expect(findings).toEqual([
      expect.objectContaining({
        check: "undescribed-files",
        evidence: expect.objectContaining({ measuredOn: 3 }),
      }),
    ]);
    expect(findings[0].file).toMatch(/span_log\.nmea$/);
  });

  it("the described files alone are quiet", async () => {
    expect(await failedChecks(id, files)).toEqual([]);
  });
});

describe("hubmap-kidney-segmentation", () => {
  const id = "hubmap-kidney-segmentation";
  const [width, height] = [60, 40];
  const ids = hexIds(3, 11);
  const boxes = [
    [5, 4, 20, 15],
    [30, 22, 52, 36],
    [8, 20, 18, 38],
  ];
  // Down the columns, counted from 1.
  const runs = ([left, top, right, bottom]: number[]) =>
    Array.from({ length: right - left }, (_, i) => `${(left + i) * height + top + 1} ${bottom - top}`).join(
      " ",
    );
  const outline = ([left, top, right, bottom]: number[]) =>
    JSON.stringify([
      {
        type: "Feature",
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [left, top],
              [right, top],
              [right, bottom],
              [left, bottom],
              [left, top],
            ],
          ],
        },
      },
    ]);
  const files: PreparedFiles = {
    "public/train.csv": csv(
      ["id", "encoding"],
      hexIds(5, 12).map((name, i) => [name, `${i + 1} 3 ${i + 90} 4`]),
    ),
    "public/sample_submission.csv": csv(
      ["id", "predicted"],
      ids.map((name) => [name, ""]),
    ),
    "private/test.csv": csv(
      ["id", "encoding", "width_pixels", "height_pixels"],
      ids.map((name, i) => [name, runs(boxes[i]), width, height]),
    ),
    "private/gold_submission.csv": csv(
      ["id", "predicted"],
      ids.map((name, i) => [name, runs(boxes[i])]),
    ),
  };
  for (const name of ids) files[`public/test/${name}.tiff`] = `II* ${name}`;
  const annotated = (suffix: string, text: (i: number) => string) =>
    Object.fromEntries(ids.map((name, i) => [`public/test/${name}${suffix}.json`, text(i)]));

  it("outlines that lie on the masks are a leak, with the share measured", async () => {
    const findings = grave(
      await auditCatalogued(id, { ...files, ...annotated("", (i) => outline(boxes[i])) }),
    );
    expect(findings).toEqual([
      expect.objectContaining({
        check: "answers-in-files",
        severity: "leak",
        evidence: expect.objectContaining({ figure: 1 }),
      }),
    ]);
  });

  it("the run-length mask itself in a JSON file is a leak", async () => {
    const findings = grave(
      await auditCatalogued(id, {
        ...files,
        ...annotated("", (i) => JSON.stringify({ rle: runs(boxes[i]) })),
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: "answers-in-files", severity: "leak" }));
  });

  it("outlines of other structures are only warned about", async () => {
    const other = (i: number) => outline([boxes[i][2] + 2, 0, boxes[i][2] + 4, 2]);
    const report = await auditCatalogued(id, { ...files, ...annotated("-anatomical-structure", other) });
    expect(grave(report)).toEqual([]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ check: "answers-in-files", severity: "warning" }),
    );
  });

  it("scans without annotations are quiet", async () => {
    expect(await failedChecks(id, files)).toEqual([]);
  });
});
