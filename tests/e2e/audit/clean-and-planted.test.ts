import { describe, expect, it } from "vitest";
import { type Competition, defineCompetition } from "../../../src/competitions/competition.ts";
import { sevenZipOf, tarGzOf, zipOf } from "./packed.ts";
import {
  auditMadeUp,
  cleanPets,
  csv,
  grave,
  type PreparedFiles,
  pets,
  petsDescription,
  picture,
  randomNumbers,
  testPets,
  trainPets,
} from "./prepared-set.ts";

const answers = csv(
  ["id", "species"],
  testPets.map(({ id, species }) => [id, species]),
);

async function planted(files: PreparedFiles) {
  return grave(await auditMadeUp(pets, { ...cleanPets(), ...files }, petsDescription));
}

describe("a clean set", () => {
  it("has no finding, and the report says what was looked at", async () => {
    const report = await auditMadeUp(pets, cleanPets(), petsDescription);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: "clean", scanned: { tables: 3, answers: 60 } });
  });

  it("stays clean when its pictures are packed into a zip", async () => {
    const members = Object.fromEntries(testPets.map(({ id }, i) => [`${id}.png`, picture(i)]));
    const findings = await planted({ "public/test.zip": await zipOf(members) });
    expect(findings.filter(({ check }) => check !== "undescribed-files")).toEqual([]);
  });

  it("without answers is audited as far as possible, and says which checks were skipped", async () => {
    const { "private/test.csv": _, ...files } = cleanPets();
    const report = await auditMadeUp(pets, files, petsDescription);
    expect(report.skippedChecks.map(({ check }) => check)).toContain("answers-in-tables");
    expect(report.verdict).toBe("clean");
  });
});

describe("answers in public files", () => {
  it.each([
    ["a CSV file", "labels.csv", answers],
    ["a CSV file whose columns have other names", "x.csv", answers.replace("id,species", "picture,k")],
    [
      "a JSON list",
      "meta.json",
      JSON.stringify(testPets.map(({ id, species }) => ({ name: id, what: species }))),
    ],
    [
      "a JSON object",
      "meta.json",
      JSON.stringify(Object.fromEntries(testPets.map((p) => [p.id, p.species]))),
    ],
    ["JSON lines", "meta.jsonl", testPets.map((p) => JSON.stringify({ id: p.id, k: p.species })).join("\n")],
    ["a text", "notes.txt", testPets.map(({ id, species }) => `picture ${id} shows a ${species}`).join("\n")],
  ])("are found in %s", async (_, name, content) => {
    const findings = await planted({ [`public/${name}`]: content });
    expect(findings).toContainEqual(expect.objectContaining({ severity: "leak", file: name }));
  });

  it.each([
    ["zip", "extra.zip", zipOf],
    ["tar.gz", "extra.tar.gz", tarGzOf],
    ["7z", "extra.7z", sevenZipOf],
  ])("are found inside a %s", async (_, name, pack) => {
    const findings = await planted({ [`public/${name}`]: await pack({ "deep/labels.csv": answers }) });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "answers-in-tables", file: `${name}/deep/labels.csv` }),
    );
  });

  it("are found in an archive inside an archive", async () => {
    const inner = await zipOf({ "labels.csv": answers });
    const findings = await planted({ "public/outer.tar.gz": await tarGzOf({ "inner.zip": inner }) });
    expect(findings).toContainEqual(expect.objectContaining({ file: "outer.tar.gz/inner.zip/labels.csv" }));
  });

  it("are found in the names of files", async () => {
    const files = cleanPets();
    const renamed = Object.fromEntries(
      testPets.map(({ id, species }, i) => [`public/test/${species}/${id}.png`, picture(i)]),
    );
    const kept = Object.fromEntries(
      Object.entries(files).filter(([name]) => !name.startsWith("public/test/")),
    );
    const findings = grave(await auditMadeUp(pets, { ...kept, ...renamed }));
    expect(findings).toContainEqual(expect.objectContaining({ check: "answers-in-names", severity: "leak" }));
  });

  it.each([
    ["ASCII", (text: string) => text],
    ["wide characters", (text: string) => Buffer.from(text, "utf16le").toString("latin1")],
  ])("are found in the metadata of pictures, in %s", async (_, encode) => {
    const files = Object.fromEntries(
      testPets.map(({ id, species }, i) => [
        `public/test/${id}.png`,
        picture(i, encode(`(Subject=${species})`)),
      ]),
    );
    expect(await planted(files)).toContainEqual(
      expect.objectContaining({ check: "answers-in-files", severity: "leak" }),
    );
  });

  it("are found in the sample submission itself", async () => {
    const findings = await planted({ "public/sample_submission.csv": answers });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "sample-submission", severity: "leak" }),
    );
  });

  it("name the row, the column and how many rows were compared", async () => {
    const [finding] = await planted({ "public/labels.csv": answers });
    expect(finding.evidence).toMatchObject({ column: "species", row: 1, figure: 1, measuredOn: 60 });
    expect(finding.nextStep).toContain("labels.csv");
  });

  it("are not seen in a table of wrong answers", async () => {
    const wrong = csv(
      ["id", "species"],
      testPets.map(({ id }, i) => [id, testPets[(i + 7) % testPets.length].species]),
    );
    expect((await planted({ "public/guesses.csv": wrong })).map(({ check }) => check)).toEqual([]);
  });
});

describe("train and test", () => {
  const header = ["id", "weight", "note", "species"];
  const trainRows = trainPets.map(({ id, weight, note, species }) => [id, weight, note, species]);

  it("that share rows are reported with the rows", async () => {
    const copied = testPets
      .slice(0, 6)
      .map(({ weight, note, species }, i) => [`copy${i}`, weight, note, species]);
    const findings = await planted({ "public/train.csv": csv(header, [...trainRows, ...copied]) });
    expect(findings).toEqual([
      expect.objectContaining({ check: "shared-rows", evidence: expect.objectContaining({ figure: 0.1 }) }),
    ]);
  });

  it("that share patients are reported with the column", async () => {
    const patient = (i: number) => `P${i % 40}`;
    const findings = await planted({
      "public/train.csv": csv(
        [...header, "patient_id"],
        trainRows.map((row, i) => [...row, patient(i)]),
      ),
      "public/test.csv": csv(
        ["id", "weight", "note", "patient_id"],
        testPets.map(({ id, weight, note }, i) => [id, weight, note, patient(i)]),
      ),
    });
    expect(findings).toEqual([
      expect.objectContaining({
        check: "shared-groups",
        evidence: expect.objectContaining({ column: "patient_id" }),
      }),
    ]);
  });

  it("with patients of their own are not reported, even if a patient's number tells all about train", async () => {
    const number: Record<string, number> = { cat: 0, dog: 1, rabbit: 2 };
    const findings = await planted({
      "public/train.csv": csv(
        [...header, "patient_id"],
        trainPets.map((pet, i) => [...trainRows[i], `T${number[pet.species]}`]),
      ),
      "public/test.csv": csv(
        ["id", "weight", "note", "patient_id"],
        testPets.map(({ id, weight, note }, i) => [id, weight, note, `V${i % 9}`]),
      ),
    });
    expect(findings).toEqual([]);
  });

  it("with a column that gives the class under another name are reported with the accuracy measured", async () => {
    const code: Record<string, string> = { cat: "k7", dog: "q2", rabbit: "z9" };
    const findings = await planted({
      "public/train.csv": csv(
        [...header, "cage"],
        trainPets.map((pet, i) => [...trainRows[i], code[pet.species]]),
      ),
      "public/test.csv": csv(
        ["id", "weight", "note", "cage"],
        testPets.map(({ id, weight, note, species }) => [id, weight, note, code[species]]),
      ),
    });
    expect(findings).toEqual([
      expect.objectContaining({
        check: "single-column",
        severity: "leak",
        evidence: expect.objectContaining({ column: "cage", figure: 1, measuredOn: 240 }),
      }),
    ]);
  });
});

describe("an honest measurement that comes close to the target", () => {
  const tumours: Competition = defineCompetition({
    ...pets,
    metric: { name: "AUC", direction: "maximize" },
    columns: { id: ["id"], target: ["malignant"] },
  });
  const random = randomNumbers(5);
  // Two bells whose middles lie three widths apart: an AUC of about 0.983, as the best column of a real table has.
  const bell = () => random() + random() + random() + random() - 2;
  const rows = Array.from({ length: 500 }, (_, i) => {
    const malignant = i % 3 === 0 ? 1 : 0;
    return [`t${i}`, (bell() + 1.73 * malignant).toFixed(4), String(malignant)];
  });

  it("is suspicious, with the figure, and not called a leak", async () => {
    const report = await auditMadeUp(tumours, {
      "public/train.csv": csv(["id", "radius", "malignant"], rows.slice(0, 350)),
      "public/test.csv": csv(
        ["id", "radius"],
        rows.slice(350).map((row) => row.slice(0, 2)),
      ),
      "public/sample_submission.csv": csv(
        ["id", "malignant"],
        rows.slice(350).map(([id]) => [id, "0.5"]),
      ),
      "private/answers.csv": csv(
        ["id", "malignant"],
        rows.slice(350).map(([id, , malignant]) => [id, malignant]),
      ),
    });
    expect(report.verdict).toBe("warnings");
    const [{ evidence, ...finding }] = report.findings;
    expect(finding).toMatchObject({ check: "single-column", severity: "suspicious" });
    expect(evidence).toMatchObject({ column: "radius", measuredOn: 350 });
    expect(evidence.figure).toBeGreaterThan(0.98);
    expect(evidence.figure).toBeLessThan(0.999);
  });
});

describe("what was not read", () => {
  it("is told: an archive that is none, and a table that is not UTF-8", async () => {
    const files = {
      ...cleanPets(),
      "public/old.zip": "no zip",
      "public/odd.csv": Buffer.from([0x61, 0xff, 0xfe, 0x0a]),
    };
    const { notScanned } = await auditMadeUp(pets, files);
    expect(notScanned.map(({ file }) => file)).toEqual(["old.zip", "odd.csv"]);
  });

  it("never stops the scan, whatever a file holds", async () => {
    const hostile: PreparedFiles = {
      "public/empty.csv": "",
      "public/deep.json": "[".repeat(5000),
      "public/cut.json": '{"a": [{"b": 1',
      "public/open.csv": 'a,b\n"never closed',
      "public/test/x.mat": `${"MATLAB 5.0 MAT-file".padEnd(126)}IM\x0e\0\0\0\xff\xff\xff\xff`,
      "public/bomb.zip": Buffer.from("PK\x05\x06".padEnd(22, "\0"), "latin1"),
    };
    const report = await auditMadeUp(pets, { ...cleanPets(), ...hostile });
    expect(report.findings.filter(({ severity }) => severity === "leak")).toEqual([]);
  });
});
