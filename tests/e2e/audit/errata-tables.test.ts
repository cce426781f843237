import { describe, expect, it } from "vitest";
import {
  auditCatalogued,
  csv,
  failedChecks,
  grave,
  hexIds,
  type PreparedFiles,
  randomNumbers,
} from "./prepared-set.ts";

describe("ranzcr-clip-catheter-line-classification", () => {
  const id = "ranzcr-clip-catheter-line-classification";
  const labels = [
    "ETT - Abnormal",
    "ETT - Borderline",
    "ETT - Normal",
    "NGT - Abnormal",
    "NGT - Borderline",
    "NGT - Incompletely Imaged",
    "NGT - Normal",
    "CVC - Abnormal",
    "CVC - Borderline",
    "CVC - Normal",
    "Swan Ganz Catheter Present",
  ];
  const random = randomNumbers(3);
  const rows = (count: number, seed: number, patient: string) =>
    hexIds(count, seed).map((name, i) => [
      name,
      ...labels.map(() => (random() < 0.4 ? 1 : 0)),
      `${patient}${i}`,
    ]);
  const test = rows(20, 5, "b");
  const header = ["StudyInstanceUID", ...labels, "PatientID"];
  const files = (sampleLabels: string[]): PreparedFiles => ({
    "public/train.csv": csv(header, rows(60, 4, "a")),
    "private/test.csv": csv(header, test),
    "public/sample_submission.csv": csv(
      ["StudyInstanceUID", ...sampleLabels],
      test.map(([name]) => [name, ...sampleLabels.map(() => 0)]),
    ),
  });

  it("two label columns missing from the sample are a defect that names them", async () => {
    const [finding, ...others] = grave(await auditCatalogued(id, files(labels.slice(0, 9))));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ check: "sample-submission", severity: "defect" });
    expect(finding.evidence.what).toMatch(/"CVC - Normal", "Swan Ganz Catheter Present"/);
  });

  it("all columns are quiet", async () => {
    expect(await failedChecks(id, files(labels))).toEqual([]);
  });
});

describe("champs-scalar-coupling", () => {
  const id = "champs-scalar-coupling";
  const random = randomNumbers(9);
  const molecule = (n: number) => `dsgdb9nsd_${String(n).padStart(6, "0")}`;
  const pairs = (from: number, molecules: number) =>
    Array.from({ length: molecules * 4 }, (_, i) => [
      from * 4 + i,
      molecule(from + (i >> 2)),
      i % 4,
      (i % 4) + 1,
      i % 2 ? "1JHC" : "2JHH",
      (random() * 100).toFixed(6),
    ]);
  const header = ["id", "molecule_name", "atom_index_0", "atom_index_1", "type", "scalar_coupling_constant"];
  const train = pairs(0, 20);
  const test = pairs(20, 8);
  const structures = (molecules: number) =>
    csv(
      ["molecule_name", "atom_index", "x"],
      Array.from({ length: molecules }, (_, n) => [molecule(n), 0, random().toFixed(5)]),
    );
  const files = (molecules: number): PreparedFiles => ({
    "public/train.csv": csv(header, train),
    "public/test.csv": csv(
      header.slice(0, -1),
      test.map((row) => row.slice(0, -1)),
    ),
    "public/sample_submission.csv": csv(
      ["id", "scalar_coupling_constant"],
      test.map(([pair]) => [pair, 0]),
    ),
    "private/answers.csv": csv(header, test),
    "public/structures.csv": structures(molecules),
    "public/potential_energy.csv": structures(20).replace("atom_index,x", "atom_index,potential_energy"),
  });

  it("molecules of the test set missing from the structures are a defect that names one", async () => {
    const findings = grave(await auditCatalogued(id, files(20)));
    expect(findings.map(({ check, file }) => `${check} ${file}`)).toContain("side-tables structures.csv");
    expect(findings[0].evidence).toMatchObject({ column: "molecule_name", figure: 0, measuredOn: 8 });
  });

  it("structures with some of the test molecules are a defect", async () => {
    expect(await failedChecks(id, files(23))).toEqual(["side-tables"]);
  });

  it("full structures are quiet; a table for training alone is only warned about", async () => {
    const report = await auditCatalogued(id, files(28));
    expect(grave(report)).toEqual([]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ file: "potential_energy.csv", severity: "warning" }),
    );
  });
});

describe("random-acts-of-pizza", () => {
  const id = "random-acts-of-pizza";
  const requests = (count: number, seed: number, giver: boolean) => {
    const random = randomNumbers(seed);
    return Array.from({ length: count }, (_, i) => {
      const received = random() < 0.25;
      const known = received && random() < 0.4;
      return {
        request_id: `t3_${seed}x${i}`,
        request_title: `[Request] hungry in town ${Math.floor(random() * 1e6)}`,
        requester_account_age_in_days_at_request: Math.round(random() * 1000),
        ...(giver ? { giver_username_if_known: known ? `user_${Math.floor(random() * 1e6)}` : "N/A" } : {}),
        received,
      };
    });
  };
  const files = (giver: boolean): PreparedFiles => {
    const train = requests(400, 1, giver).map(({ received, ...facts }) => ({
      ...facts,
      requester_received_pizza: received,
    }));
    const test = requests(120, 2, giver);
    return {
      "public/train.json": JSON.stringify(train, null, 4),
      "public/test.json": JSON.stringify(
        test.map(({ received: _, ...facts }) => facts),
        null,
        4,
      ),
      "public/sampleSubmission.csv": csv(
        ["request_id", "requester_received_pizza"],
        test.map((r) => [r.request_id, 0]),
      ),
      "private/test.csv": csv(
        ["request_id", "requester_received_pizza"],
        test.map((r) => [r.request_id, r.received ? 1 : 0]),
      ),
    };
  };

  it("a giver that is known only for granted requests is a leak, with the figure and the rows measured", async () => {
    const findings = grave(await auditCatalogued(id, files(true)));
    expect(findings).toEqual([
      expect.objectContaining({
        check: "single-column",
        severity: "leak",
        evidence: expect.objectContaining({ column: "giver_username_if_known", figure: 1 }),
      }),
    ]);
  });

  it("without the field the set is quiet", async () => {
    expect(await failedChecks(id, files(false))).toEqual([]);
  });
});

describe("a sample submission in the private folder", () => {
  it.each([
    "billion-word-imputation",
    "invasive-species-monitoring",
    "statoil-iceberg-classifier-challenge",
    "text-normalization-challenge-english-language",
    "text-normalization-challenge-russian-language",
  ])("is a defect of %s, and not when it is public as well", async (id) => {
    const { competition } = (await import(`../../../src/competitions/${id}/competition.ts`)) as {
      competition: { columns: { id: string[]; target: string[] }; files: { answers: string } };
    };
    const { columns, files } = competition;
    const header = [...columns.id, ...columns.target];
    const sample = csv(
      header,
      [1, 2, 3].map((n) => [n, "0"]),
    );
    const base: PreparedFiles = {
      [files.answers.replace("prepared/", "")]: csv(
        header,
        [1, 2, 3].map((n) => [n, n % 2]),
      ),
      "private/sample_submission.csv": sample,
      "public/train.txt": "some text",
    };
    expect(await failedChecks(id, base)).toEqual(["sample-submission"]);
    expect(await failedChecks(id, { ...base, "public/sample_submission.csv": sample })).toEqual([]);
  });
});

describe("a crowded board", () => {
  it.each([
    "tabular-playground-series-dec-2021",
    "tabular-playground-series-may-2022",
    "jigsaw-toxic-comment-classification-challenge",
    "aerial-cactus-identification",
  ])("is a warning for %s, not a failure", async (id) => {
    const report = await auditCatalogued(id, { "public/train.csv": "id\n1\n" });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ check: "crowded-board", severity: "warning" }),
    );
  });
});
