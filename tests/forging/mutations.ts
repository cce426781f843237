import fs from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { regularFiles } from "../../src/files/folder-digest.ts";
import { GradingReport } from "../../src/grading/report-schema.ts";
import { valueDigest } from "../../src/trials/certificate/canonical-json.ts";
import { certificateText, seal } from "../../src/trials/certificate/certificate.ts";
import { Certificate, GroupCertificate } from "../../src/trials/certificate/schema.ts";
import type { SigningKey } from "../../src/trials/certificate/signing.ts";
import { GroupMetadata, RunGroup } from "../../src/trials/group/schema.ts";
import { TrialEvent } from "../../src/trials/trial/events.ts";
import { Trial } from "../../src/trials/trial/schema.ts";
import { borrowedForgeries, consistentForgeries } from "./consistent.ts";
import { editsOf } from "./values.ts";

/** One forgery of a signed group, by somebody who has every file and every key but the signer's. */
export interface Mutation {
  name: string;
  /** The trial it is about, which must not be accepted on its own either; null for the group's own files. */
  trial: string | null;
  apply(folder: string): void;
}

/**
 * Changes, drops, swaps, copies and re-signs every field and file of a group, borrows from another one of the same signer,
 * and rewrites files together with what is said of them.
 */
export function mutationsOf(folder: string, other: string, mallory: SigningKey): Mutation[] {
  const group = RunGroup.parse(read(path.join(folder, "group.json")));
  const ids = group.trials.map(({ id }) => id);
  return [
    ...recordEdits(folder, ids),
    ...sealedEdits(folder, null, "certificate.json", GroupCertificate, mallory),
    ...ids.flatMap((id) => sealedEdits(folder, id, `${id}/certificate.json`, Certificate, mallory)),
    ...fileForgeries(folder, ids),
    ...folderForgeries(ids, mallory),
    ...consistentForgeries(folder, ids, mallory),
    ...borrowedForgeries(ids, other),
  ];
}

function recordEdits(folder: string, ids: readonly string[]): Mutation[] {
  const report = fs.readdirSync(folder).find((name) => name.endsWith("_grading_report.json"))!;
  const records: [string | null, string, z.ZodType][] = [
    [null, "group.json", RunGroup],
    [null, "metadata.json", GroupMetadata],
    [null, report, GradingReport],
    ...ids.map((id): [string, string, z.ZodType] => [id, `${id}/trial.json`, Trial]),
  ];
  const lines = ids.flatMap((id) => eventEdits(folder, id));
  return [
    ...records.flatMap(([trial, name, schema]) =>
      editsOf(schema, read(path.join(folder, name))).map((edit) => ({
        name: `${name}: ${edit.name}`,
        trial,
        apply: (copy: string) => rewrite(path.join(copy, name), edit.apply),
      })),
    ),
    ...lines,
  ];
}

/** Of each kind of event one, with its hash made to fit again. */
function eventEdits(folder: string, id: string): Mutation[] {
  const name = `${id}/events.jsonl`;
  const events = fs.readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n");
  const types = events.map((line) => JSON.parse(line).type);
  const firsts = [...new Set(types)].map((type) => types.indexOf(type));
  return firsts.flatMap((i) =>
    editsOf(TrialEvent, JSON.parse(events[i])).map((edit) => ({
      name: `${name} line ${i + 1}: ${edit.name}`,
      trial: id,
      apply(copy: string) {
        const lines = [...events];
        const { hash: _, ...content } = edited(JSON.parse(events[i]), edit.apply) as { hash: string };
        lines[i] = JSON.stringify({ ...content, hash: valueDigest(content) });
        fs.writeFileSync(path.join(copy, name), `${lines.join("\n")}\n`);
      },
    })),
  );
}

/** Every field of what is signed: as it is, with its digest made to fit, without a signature, and under another key. */
function sealedEdits(
  folder: string,
  trial: string | null,
  name: string,
  schema: z.ZodType,
  mallory: SigningKey,
): Mutation[] {
  type Sealed = { content: unknown; digest: string; signature: { key: string } | null };
  type Sealing = Record<string, Sealed | null>;
  const original = read(path.join(folder, name)) as Sealing;
  const reseal: Record<string, (part: Sealed) => Sealed> = {
    "as it is": (part) => part,
    "digest fits": (part) => ({ ...part, digest: valueDigest(part.content) }),
    unsigned: (part) => seal(part.content, null) as Sealed,
    "another key": (part) => seal(part.content, mallory) as unknown as Sealed,
    "another key under the signer's name": (part) => {
      const forged = seal(part.content, mallory) as unknown as Sealed;
      return { ...forged, signature: { ...forged.signature!, key: part.signature!.key } };
    },
  };
  return editsOf(schema, original).flatMap((edit) =>
    Object.entries(reseal).flatMap(([how, again]) => {
      const part = ["record", "grade"].find((key) => edit.name.includes(` ${key}.content.`));
      if (part === undefined && how !== "as it is") return [];
      return {
        name: `${name}: ${edit.name} (${how})`,
        // A record without a grade is a true record, too: only the group's certificate knows better (docs/trust.md).
        trial: edit.name === "change grade to null" ? null : trial,
        apply: (copy: string) =>
          rewrite(path.join(copy, name), (value) => {
            edit.apply(value);
            const sealing = value as Sealing;
            if (part !== undefined) sealing[part] = again(sealing[part]!);
          }),
      };
    }),
  );
}

function fileForgeries(folder: string, ids: readonly string[]): Mutation[] {
  return regularFiles(folder).flatMap((name): Mutation[] => {
    const trial = ids.find((id) => name.startsWith(`${id}/`)) ?? null;
    const other = ids.find((id) => id !== trial);
    const twin = trial === null || other === undefined ? null : name.replace(trial, other);
    const file = (copy: string) => path.join(copy, name);
    const change = (how: string, apply: (copy: string) => void) => ({ name: `${how} ${name}`, trial, apply });
    return [
      change("flip a bit of", (copy) => {
        const bytes = fs.readFileSync(file(copy));
        if (bytes.length > 0) bytes[Math.floor(bytes.length / 2)] ^= 1;
        fs.writeFileSync(file(copy), bytes);
      }),
      change("lengthen", (copy) => fs.appendFileSync(file(copy), "\n")),
      change("remove", (copy) => fs.rmSync(file(copy))),
      change("put a link in place of", (copy) => {
        fs.renameSync(file(copy), `${copy}-aside`);
        fs.symlinkSync(`${copy}-aside`, file(copy));
      }),
      change("put another file beside", (copy) =>
        fs.writeFileSync(`${file(copy)}.grading_report.json`, "{}"),
      ),
      ...(twin === null || !fs.existsSync(path.join(folder, twin))
        ? []
        : [change("take the other trial's", (copy) => fs.copyFileSync(path.join(copy, twin), file(copy)))]),
    ];
  });
}

function folderForgeries(ids: readonly string[], mallory: SigningKey): Mutation[] {
  const [first, second] = ids;
  const certificate = (copy: string, id: string) => path.join(copy, id, "certificate.json");
  const resign = (file: string, parts: readonly string[], key: SigningKey | null) =>
    rewrite(file, (value) => {
      const sealing = value as Record<string, { content: unknown }>;
      for (const part of parts) if (sealing[part]) sealing[part] = seal(sealing[part].content, key);
    });
  return [
    ...[mallory, null].flatMap((key) =>
      [["record"], ["grade"], ["record", "grade"]].map((parts) => ({
        name: `${key === null ? "unsign" : "sign with another key"}: ${parts.join(" and ")}`,
        trial: first,
        apply: (copy: string) => resign(certificate(copy, first), parts, key),
      })),
    ),
    {
      name: "sign all of it with another key",
      trial: first,
      apply(copy) {
        for (const id of ids) resign(certificate(copy, id), ["record", "grade"], mallory);
        resign(path.join(copy, "certificate.json"), ["record"], mallory);
      },
    },
    {
      name: "swap two trials",
      trial: null,
      apply(copy) {
        fs.renameSync(path.join(copy, first), `${copy}-aside`);
        fs.renameSync(path.join(copy, second), path.join(copy, first));
        fs.renameSync(`${copy}-aside`, path.join(copy, second));
      },
    },
    {
      name: "count a trial twice",
      trial: null,
      apply(copy) {
        fs.rmSync(path.join(copy, second), { recursive: true });
        fs.cpSync(path.join(copy, first), path.join(copy, second), { recursive: true });
      },
    },
    {
      name: "remove a trial",
      trial: null,
      apply: (copy) => fs.rmSync(path.join(copy, second), { recursive: true }),
    },
    {
      name: "exchange the grades of two trials",
      trial: first,
      apply(copy) {
        const { grade } = read(certificate(copy, second)) as { grade: unknown };
        rewrite(certificate(copy, first), (value) => {
          (value as { grade: unknown }).grade = grade;
        });
      },
    },
    {
      name: "add a trial that nobody planned",
      trial: null,
      apply: (copy) => fs.cpSync(path.join(copy, first), path.join(copy, `${first}-b`), { recursive: true }),
    },
  ];
}

function read(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

function edited(value: unknown, edit: (value: unknown) => void): unknown {
  edit(value);
  return value;
}

/** In the one form that our certificates have, so that nothing but the change itself gives it away. */
function rewrite(file: string, edit: (value: unknown) => void): void {
  fs.writeFileSync(file, certificateText(edited(read(file), edit) as object));
}
