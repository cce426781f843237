import type { RepositoryMap } from "../../repositories/map/repository-map.ts";
import { walkFiles } from "../../repositories/source/walk-files.ts";
import { readableText } from "./leak-text.ts";

export interface CompetitionNames {
  id: string;
  title: string;
  sampleHeader: readonly string[];
  /** Names or addresses of known notebooks for it: `user/slug`. */
  kernels: readonly string[];
}

/** Why a repository is dropped: the file and what was found there. */
export interface Leak {
  rule: "slug" | "kaggle address" | "title" | "listed kernel" | "submission file" | "not to be searched";
  where: string;
  found: string;
}

const UNSEARCHED = /^(too deep|too many files|odd name|unreadable)$/;
/** Of tables only the beginning says whose they are. */
const MAX_TABLE = 400_000;
const TABLES = /\.(csv|tsv|jsonl|svg)(\.gz)?$/i;

/**
 * Signs that a repository was made for this very competition. A library that solves many tasks names none of them; so the
 * slug and the address are looked for as they are written, and a title only if it is long enough not to be said by chance.
 * Every file is read, those that a map leaves out as well: an agent can read them, too.
 */
export function findLeak(map: Pick<RepositoryMap, "root" | "name">, names: CompetitionNames): Leak | null {
  const rules = rulesFor(names);
  const kernels = new Set(names.kernels.filter((one) => KERNEL.test(one)).map((one) => one.toLowerCase()));
  const { files, leftOut } = walkFiles(map.root, { everything: true });
  for (const where of [map.name, ...files.map(({ path }) => path)]) {
    const hit = rules.find(({ inPaths, pattern }) => inPaths && pattern.test(where));
    if (hit) return { rule: hit.rule, where, found: shown(where, hit.pattern) };
    const kernel = kernelIn(where, kernels);
    if (kernel !== null) return { rule: "listed kernel", where, found: kernel };
  }
  for (const { path } of files) {
    const whole = readableText(map.root, path);
    const text = TABLES.test(path) ? whole.slice(0, MAX_TABLE) : whole;
    const hit = rules.find(({ pattern }) => pattern.test(text));
    if (hit) return { rule: hit.rule, where: path, found: shown(text, hit.pattern) };
    const kernel = kernelIn(text, kernels);
    if (kernel !== null) return { rule: "listed kernel", where: path, found: kernel };
    if (/\.[ct]sv(\.gz)?$/i.test(path) && isSubmission(path, text, names.sampleHeader))
      return { rule: "submission file", where: path, found: text.slice(0, 80).split("\n")[0] };
  }
  // What nobody looked at may be anything.
  const unseen = leftOut.find(({ why }) => UNSEARCHED.test(why));
  return unseen ? { rule: "not to be searched", where: unseen.path, found: unseen.why } : null;
}

/** Shorter ones are words of a language, or parts of them. */
const MIN_JOINED = 12;
/** Characters between a title of two words and the word Kaggle: the next paragraph of a README is still about the same. */
const NEAR = 300;

function rulesFor({
  id,
  title,
}: CompetitionNames): { rule: Leak["rule"]; pattern: RegExp; inPaths: boolean }[] {
  const parts = id.toLowerCase().split(/[-_]/).map(escapeText);
  const slug = parts.join("[-_]");
  const rules: ReturnType<typeof rulesFor> = [
    {
      rule: "kaggle address",
      pattern: new RegExp(`kaggle\\.com/(c|competitions)/${slug}(?![\\w-])`, "i"),
      inPaths: false,
    },
  ];
  // One short word, such as a common noun, would be said by any library; then only the address counts.
  if (parts.length > 1 || id.length >= 7)
    rules.push({ rule: "slug", pattern: new RegExp(`(?<![a-z0-9])${slug}(?![a-z0-9])`, "i"), inPaths: true });
  // As one word it is a name: `SpaceshipTitanicDataset`.
  const joined = parts.join("");
  if (parts.length > 1 && joined.length >= MIN_JOINED)
    rules.push({ rule: "slug", pattern: new RegExp(joined, "i"), inPaths: true });
  const words = title.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];
  if (words.length >= 3)
    rules.push({
      rule: "title",
      pattern: new RegExp(
        `(?<![\\p{L}\\p{Nd}])${words.map(escapeText).join("[^\\p{L}\\p{Nd}\\n]{1,4}")}(?![\\p{L}\\p{Nd}])`,
        "iu",
      ),
      inPaths: true,
    });
  else if (words.length > 0) {
    const short = words.map(escapeText).join("[^\\p{L}\\n]{1,4}");
    const near = words.length === 1 ? "[^\\n]{0,80}" : `[^]{0,${NEAR}}`;
    rules.push({
      rule: "title",
      pattern: new RegExp(`kaggle${near}${short}|${short}${near}kaggle`, "iu"),
      inPaths: false,
    });
  }
  return rules;
}

const KERNEL = /^[\w.-]+\/[\w.-]{4,}$/;

/** Two parts of a path or an address, side by side, that are a listed notebook's `user/slug`. */
function kernelIn(text: string, kernels: ReadonlySet<string>): string | null {
  if (kernels.size === 0) return null;
  for (const [path] of text.matchAll(/[\w.-]+(?:\/[\w.-]+)+/g)) {
    const parts = path.split("/");
    for (let at = 1; at < parts.length; at++) {
      const kernel = `${parts[at - 1]}/${parts[at]}`.toLowerCase();
      const found = [kernel, kernel.replace(/\.+(\w{1,5})?$/, "")].find((one) => kernels.has(one));
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** The columns of this competition's submissions, in a file that says it is one or has many such rows. */
function isSubmission(path: string, text: string, header: readonly string[]): boolean {
  if (header.length < 2) return false;
  const [first, ...rows] = text.split(/\r?\n/);
  const columns = first.split(/[,;\t]/).map((name) => name.trim().replace(/^"|"$/g, ""));
  const isSame = [...columns].sort().join() === [...header].sort().join();
  return isSame && (/submi|predict|result|output/i.test(path) || rows.length > 100);
}

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const shown = (text: string, pattern: RegExp) => (pattern.exec(text)?.[0] ?? "").slice(0, 120);
