import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { Disclosure } from "./standings/schema.ts";

export type DisclosureOutcome = { ok: true; disclosure: Disclosure } | { ok: false; message: string };

const MAX_BYTES = 2 ** 20;

/** Reads a disclosure; the places it names become absolute. */
export function readDisclosure(file: string): DisclosureOutcome {
  let value: unknown;
  try {
    if (fs.statSync(file).size > MAX_BYTES) return failed(file, "is too large for a disclosure.");
    value = parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failed(
      file,
      code === "ENOENT" ? "does not exist." : `cannot be read (${message.split("\n")[0]}).`,
    );
  }
  const parsed = Disclosure.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return failed(file, `is not a disclosure (${issue.path.join(".") || "top level"}: ${issue.message}).`);
  }
  const reports = parsed.data.reports.map((place) => path.resolve(path.dirname(file), place));
  return { ok: true, disclosure: { ...parsed.data, reports } };
}

function failed(file: string, why: string): DisclosureOutcome {
  return { ok: false, message: `${file} ${why}` };
}
