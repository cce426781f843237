import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type LoadedCompetition, loadCompetition } from "../../../src/competitions/catalogue.ts";
import { type Competition, defineCompetition } from "../../../src/competitions/competition.ts";
import { auditPrepared } from "../../../src/data/audit/audit.ts";
import { AuditReport, type Finding } from "../../../src/data/audit/audit-schema.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = temporaryFolder();
const newFolder = () => fs.mkdtempSync(path.join(root, "set-"));

/** Files of a prepared set by their path, `public/…` and `private/…`. */
export type PreparedFiles = Record<string, string | Uint8Array>;

/** Writes a prepared set into a data folder of its own and returns that folder. */
function layOut(id: string, files: PreparedFiles): string {
  const dataDir = newFolder();
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dataDir, id, "prepared", name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return dataDir;
}

/** Audits a made-up competition. */
export async function auditMadeUp(
  competition: Competition,
  files: PreparedFiles,
  description: string | null = null,
): Promise<AuditReport> {
  const folder = newFolder();
  if (description !== null) fs.writeFileSync(path.join(folder, "description.md"), description);
  return audited({ competition, folder: pathToFileURL(`${folder}/`) }, files);
}

/** Audits one of the catalogue on files of our own. */
export async function auditCatalogued(id: string, files: PreparedFiles): Promise<AuditReport> {
  return audited((await loadCompetition(id))!, files);
}

async function audited(competition: LoadedCompetition, files: PreparedFiles): Promise<AuditReport> {
  const dataDir = layOut(competition.competition.id, files);
  const report = await auditPrepared({ competition, dataDir, scratch: path.join(dataDir, "scratch") });
  return AuditReport.parse(report);
}

/** The findings that make a set fail. */
export function grave({ findings }: AuditReport): Finding[] {
  return findings.filter(({ severity }) => severity !== "warning");
}

/** The checks that make one of the catalogue fail on these files, each once. */
export async function failedChecks(id: string, files: PreparedFiles): Promise<string[]> {
  return [...new Set(grave(await auditCatalogued(id, files)).map(({ check }) => check))];
}

/** Ids of nine hexadecimal digits. */
export function hexIds(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () =>
    Math.floor(random() * 2 ** 36)
      .toString(16)
      .padStart(9, "0"),
  );
}

/** Numbers from 0 to 1, the same on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function csv(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${[header, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** A competition on pets: an id, a class, a few features, a picture each. */
export const pets = defineCompetition({
  id: "pets",
  name: "Pets",
  category: "Image Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["id"], target: ["species"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: { check: () => null, score: () => 0 } as unknown as Competition["grade"],
});

export const petsDescription = `# Pets

## Task

Tell the species.

## Files

- \`train.csv\`, \`test.csv\`: columns \`id\`, \`weight\`, \`note\`, in train also \`species\`.
- \`train/<id>.png\`, \`test/<id>.png\`: pictures.
- \`sample_submission.csv\`: the most frequent species.

## Metric

**Accuracy, higher is better.**
`;

const SPECIES = ["cat", "dog", "rabbit"];

export interface Pet {
  id: string;
  species: string;
  weight: string;
  note: string;
}

function makePets(count: number, seed: number): Pet[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const kind = Math.floor(random() * SPECIES.length);
    return {
      id: Math.floor(random() * 2 ** 48)
        .toString(16)
        .padStart(12, "0"),
      species: SPECIES[kind],
      // Related to the species, but far from giving it.
      weight: (2 + kind + 4 * random()).toFixed(3),
      note: `seen on day ${Math.floor(random() * 90)} in street ${Math.floor(random() * 900)}`,
    };
  });
}

/** Bytes that pretend to be a picture; `metadata` stands where a camera would write it. */
export function picture(seed: number, metadata = ""): Uint8Array {
  const random = randomNumbers(seed);
  const pixels = Uint8Array.from({ length: 600 }, () => random() * 256);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from(metadata), pixels]);
}

export const trainPets = makePets(240, 1);
export const testPets = makePets(60, 2);

/** A set with nothing wrong in it. */
export function cleanPets(): PreparedFiles {
  const features = ({ id, weight, note }: Pet) => [id, weight, note];
  const files: PreparedFiles = {
    "public/train.csv": csv(
      ["id", "weight", "note", "species"],
      trainPets.map((pet) => [...features(pet), pet.species]),
    ),
    "public/test.csv": csv(["id", "weight", "note"], testPets.map(features)),
    "public/sample_submission.csv": csv(
      ["id", "species"],
      testPets.map(({ id }) => [id, "dog"]),
    ),
    "private/test.csv": csv(
      ["id", "species"],
      testPets.map(({ id, species }) => [id, species]),
    ),
  };
  for (const [i, { id }] of trainPets.slice(0, 30).entries()) files[`public/train/${id}.png`] = picture(i);
  for (const [i, { id }] of testPets.entries()) files[`public/test/${id}.png`] = picture(1000 + i);
  return files;
}
