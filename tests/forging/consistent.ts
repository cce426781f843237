import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { regularFiles } from "../../src/files/folder-digest.ts";
import { valueDigest } from "../../src/trials/certificate/canonical-json.ts";
import { certificateText, seal } from "../../src/trials/certificate/certificate.ts";
import type { SigningKey } from "../../src/trials/certificate/signing.ts";
import type { Mutation } from "./mutations.ts";

interface Sealed {
  content: Content;
  digest: string;
  signature: { key: string } | null;
}
interface Content {
  files: { path: string; bytes: number; sha256: string }[];
  events: { count: number; head: string };
}
type Reseal = (part: Sealed) => Sealed;

/** What somebody without the key can put in place of a seal over changed content. */
function reseals(mallory: SigningKey): Record<string, Reseal> {
  const as = (part: Sealed, key: SigningKey | null) => seal(part.content, key) as Sealed;
  return {
    "digest fits": (part) => ({ ...part, digest: valueDigest(part.content) }),
    unsigned: (part) => as(part, null),
    "another key": (part) => as(part, mallory),
    "another key under the signer's name": (part) => {
      const forged = as(part, mallory);
      return { ...forged, signature: { ...forged.signature!, key: part.signature!.key } };
    },
  };
}

/**
 * Forgeries that contradict nothing but the signature: a file is changed and its hash in the record, an event is left out,
 * doubled or moved and the whole chain made anew, with the record's end of it.
 */
export function consistentForgeries(folder: string, ids: readonly string[], mallory: SigningKey): Mutation[] {
  return ids.flatMap((id) =>
    Object.entries(reseals(mallory)).flatMap(([how, reseal]) => [
      ...regularFiles(path.join(folder, id))
        .filter((name) => name !== "certificate.json")
        .map(
          (name): Mutation => ({
            name: `lengthen ${id}/${name} and its hash with it (${how})`,
            trial: id,
            apply(copy) {
              fs.appendFileSync(path.join(copy, id, name), "\n");
              rewriteRecord(path.join(copy, id), reseal);
            },
          }),
        ),
      ...chainEdits(path.join(folder, id, "events.jsonl")).map(
        ({ name, lines }): Mutation => ({
          name: `${id}: ${name}, the chain made anew (${how})`,
          trial: id,
          apply(copy) {
            fs.writeFileSync(path.join(copy, id, "events.jsonl"), chained(lines));
            rewriteRecord(path.join(copy, id), reseal);
          },
        }),
      ),
    ]),
  );
}

/** Every line left out, doubled, and exchanged with the next. */
function chainEdits(file: string): { name: string; lines: string[] }[] {
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.flatMap((line, i) => {
    const before = lines.slice(0, i);
    const after = lines.slice(i + 1);
    const swapped =
      after.length === 0
        ? []
        : [{ name: `move event ${i + 1}`, lines: [...before, after[0], line, ...after.slice(1)] }];
    return [
      { name: `leave out event ${i + 1}`, lines: [...before, ...after] },
      { name: `double event ${i + 1}`, lines: [...before, line, line, ...after] },
      ...swapped,
    ];
  });
}

function chained(lines: readonly string[]): string {
  let previous = "0".repeat(64);
  const made = lines.map((line, seq) => {
    const { hash: _, ...event } = JSON.parse(line) as Record<string, unknown>;
    const content = { ...event, seq, previous };
    previous = valueDigest(content);
    return `${JSON.stringify({ ...content, hash: previous })}\n`;
  });
  return made.join("");
}

/** The record says again what lies there: sizes, hashes and the end of the chain. */
function rewriteRecord(trial: string, reseal: Reseal): void {
  const file = path.join(trial, "certificate.json");
  const certificate = JSON.parse(fs.readFileSync(file, "utf8")) as { record: Sealed };
  const { content } = certificate.record;
  const files = content.files.map(({ path: name }) => {
    const bytes = fs.readFileSync(path.join(trial, name));
    return { path: name, bytes: bytes.length, sha256: sha256(bytes) };
  });
  const events = fs.readFileSync(path.join(trial, "events.jsonl"), "utf8").trimEnd().split("\n");
  const { hash: head } = JSON.parse(events.at(-1)!) as { hash: string };
  certificate.record = reseal({
    ...certificate.record,
    content: { ...content, files, events: { count: events.length, head } },
  });
  fs.writeFileSync(file, certificateText(certificate));
}

/** Parts of another group of the same signer in place of this one's, one by one and together. */
export function borrowedForgeries(ids: readonly string[], other: string): Mutation[] {
  const theirs = fs
    .readdirSync(other, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(other, entry.name, "certificate.json")))
    .map(({ name }) => name);
  const own = fs.readdirSync(other).filter((name) => fs.statSync(path.join(other, name)).isFile());
  const groupFiles: Mutation[] = own.map((name) => ({
    name: `take ${name.includes("report") ? "the report" : name} of another group`,
    trial: null,
    apply(copy) {
      const target = name.includes("report")
        ? (fs.readdirSync(copy).find((file) => file.endsWith("_grading_report.json")) ?? name)
        : name;
      fs.copyFileSync(path.join(other, name), path.join(copy, target));
    },
  }));
  const ofTrials = ids.flatMap((id) =>
    theirs.flatMap((their): Mutation[] => [
      {
        name: `take the other group's ${their} for ${id}`,
        trial: null,
        apply: (copy) => borrowTrial(copy, id, path.join(other, their)),
      },
      {
        name: `take the other group's ${their} for ${id}, and its starts`,
        trial: null,
        apply(copy) {
          borrowTrial(copy, id, path.join(other, their));
          fs.copyFileSync(path.join(other, "starts.jsonl"), path.join(copy, "starts.jsonl"));
        },
      },
      ...["record", "grade"].map(
        (part): Mutation => ({
          name: `take the ${part} of the other group's ${their} for ${id}`,
          trial: id,
          apply(copy) {
            const file = path.join(copy, id, "certificate.json");
            const value = JSON.parse(fs.readFileSync(file, "utf8"));
            value[part] = JSON.parse(fs.readFileSync(path.join(other, their, "certificate.json"), "utf8"))[
              part
            ];
            fs.writeFileSync(file, certificateText(value));
          },
        }),
      ),
    ]),
  );
  const allTrials: Mutation = {
    name: "take all trials of another group, and all its files but the plan",
    trial: null,
    apply(copy) {
      for (const [i, id] of ids.entries()) borrowTrial(copy, id, path.join(other, theirs[i % theirs.length]));
      for (const name of own)
        if (name !== "group.json") fs.copyFileSync(path.join(other, name), path.join(copy, name));
    },
  };
  return [...groupFiles, ...ofTrials, allTrials];
}

function borrowTrial(copy: string, id: string, from: string): void {
  fs.rmSync(path.join(copy, id), { recursive: true });
  fs.cpSync(from, path.join(copy, id), { recursive: true });
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
