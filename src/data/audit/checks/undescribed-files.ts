import fs from "node:fs";
import path from "node:path";
import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import type { PublicFile } from "../reading/public-files.ts";
import { type DescribedFiles, readDescribedFiles } from "./described-files.ts";

/**
 * Public files that the description does not mention. In the test part they are a defect: what train has and test
 * should not is often derived from the truth. A file that only a bare `*` covers counts as mentioned when the text
 * uses a word of its name.
 */
export function findUndescribedFiles({ loaded, files }: AuditContext): Finding[] | Skipped {
  let description: string;
  try {
    description = fs.readFileSync(new URL("description.md", loaded.folder), "utf8");
  } catch {
    return { skipped: "the competition has no description.md" };
  }
  const described = readDescribedFiles(description);
  if (described === null) return { skipped: "the description has no section Files that names paths" };
  const families = new Map<string, PublicFile[]>();
  for (const file of files) {
    if (file.path === "description.md" || isDescribed(file.path, described)) continue;
    const key = `${file.path.split("/", 1)[0]}|${file.side}|${familyName(file.path)}`;
    const family = families.get(key);
    if (family === undefined) families.set(key, [file]);
    else family.push(file);
  }
  return [...families.values()].map(undescribedFinding);
}

function isDescribed(file: string, described: DescribedFiles): boolean {
  const covered = described.covers(file);
  if (covered === "named" || described.quotes(path.basename(file))) return true;
  if (covered === null) return false;
  const parts = path
    .basename(file)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
  const words = parts.flatMap((part) => [part, part.replace(/\d+/g, "")]);
  // A name of digits and codes is the item's own; no description could mention it.
  return words.some((word) => described.mentions(word)) || !parts.some((word) => /^\p{L}{3,}$/u.test(word));
}

/** Files that differ in their numbers only are one family; those with the same name in many folders too. */
function familyName(file: string): string {
  const name = path.basename(file);
  const extension = path.extname(name);
  return /\d{3,}|[0-9a-f]{8,}/i.test(name) ? `*${extension}` : name;
}

function undescribedFinding(family: PublicFile[]): Finding {
  const [{ path: file, side }] = family;
  const inTest = side === "test";
  const more = family.length > 1 ? ` and ${family.length - 1} more like it` : "";
  return {
    check: "undescribed-files",
    severity: inTest ? "defect" : "warning",
    file,
    evidence: {
      what: `no path in the description's section Files covers ${file}${more}`,
      measuredOn: family.length,
    },
    message: inTest
      ? `The public test set holds files the description does not mention: ${file}${more}.`
      : `The description does not mention ${file}${more}.`,
    nextStep: inTest
      ? `If ${path.basename(file)} derives from the truth, leave it out of the test set when preparing; else describe it.`
      : `Name ${file} in the section Files of description.md, or leave it out when preparing.`,
  };
}
