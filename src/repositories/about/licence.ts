import path from "node:path";
import type { RepositoryFile } from "../source/walk-files.ts";

/** What a licence lets somebody do with a part of the code. */
export type Reuse = "allowed" | "copyleft" | "forbidden" | "unstated";

export interface Licence {
  /** An SPDX name where we know it, else `unknown`, or `none`. */
  name: string;
  reuse: Reuse;
  file: string | null;
}

const NO_LICENCE: Licence = { name: "none", reuse: "unstated", file: null };

/** In this order: texts of later ones occur inside earlier ones. */
const KNOWN: readonly { name: string; reuse: Reuse; pattern: RegExp }[] = [
  { name: "AGPL-3.0", reuse: "copyleft", pattern: /gnu affero general public license/i },
  { name: "LGPL", reuse: "copyleft", pattern: /gnu (lesser|library) general public license/i },
  {
    name: "GPL-3.0",
    reuse: "copyleft",
    pattern: /gnu general public license[\s\S]{0,120}version 3|\bGPL-3/i,
  },
  {
    name: "GPL-2.0",
    reuse: "copyleft",
    pattern: /gnu general public license[\s\S]{0,120}version 2|\bGPL-2/i,
  },
  { name: "Apache-2.0", reuse: "allowed", pattern: /apache license[\s,]*version 2\.0|apache-2\.0/i },
  { name: "MPL-2.0", reuse: "copyleft", pattern: /mozilla public license/i },
  {
    name: "CC-BY-NC",
    reuse: "forbidden",
    pattern: /attribution-noncommercial|cc[- ]by[- ]nc|non-?commercial (use|purposes) only/i,
  },
  { name: "CC0-1.0", reuse: "allowed", pattern: /cc0 1\.0|creative commons zero/i },
  { name: "CC-BY-4.0", reuse: "allowed", pattern: /creative commons attribution 4\.0|cc-by-4\.0/i },
  {
    name: "Unlicense",
    reuse: "allowed",
    pattern: /free and unencumbered software released into the public domain/i,
  },
  {
    name: "ISC",
    reuse: "allowed",
    pattern: /isc license|permission to use, copy, modify, and\/or distribute/i,
  },
  { name: "MIT", reuse: "allowed", pattern: /\bmit license|permission is hereby granted, free of charge/i },
  {
    name: "BSD-3-Clause",
    reuse: "allowed",
    pattern: /redistribution and use in source and binary forms[\s\S]*neither the name|bsd[- ]3/i,
  },
  {
    name: "BSD-2-Clause",
    reuse: "allowed",
    pattern: /redistribution and use in source and binary forms|bsd[- ]2/i,
  },
  {
    name: "proprietary",
    reuse: "forbidden",
    pattern:
      /all rights reserved[\s\S]*(no part|may not|not permitted|prohibited|without (prior|express))|confidential and proprietary|no permission is granted/i,
  },
];

const MAX_READ = 40_000;

/** The licence of a whole repository: from its licence file, else from what its packaging says. */
export function findLicence(
  files: readonly RepositoryFile[],
  read: (file: string) => string | null,
): Licence {
  const named = files
    .map((file) => file.path)
    .filter((file) => /^(licen[cs]e|copying|unlicense)([.-][\w.-]+)?$/i.test(path.posix.basename(file)))
    .sort((a, b) => a.split("/").length - b.split("/").length);
  const top = named.find((file) => !file.includes("/"));
  if (top !== undefined) return licenceOf(top, read(top) ?? "");
  for (const file of ["pyproject.toml", "setup.cfg", "package.json", "DESCRIPTION", "setup.py"]) {
    const text = files.some((one) => one.path === file) ? read(file) : null;
    const line = text?.match(/^\W*licen[cs]e\W[^\n]*/im)?.[0];
    if (line) return licenceOf(file, /\bMIT\b/.test(line) ? "MIT License" : line);
  }
  return NO_LICENCE;
}

function licenceOf(file: string, text: string): Licence {
  const head = text.slice(0, MAX_READ);
  const known = KNOWN.find(({ pattern }) => pattern.test(head));
  return known
    ? { name: known.name, reuse: known.reuse, file }
    : { name: "unknown", reuse: "unstated", file };
}
