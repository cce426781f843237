import { createHash } from "node:crypto";
import type { RepositoryMap } from "../map/repository-map.ts";
import { shorten } from "../outline/outline.ts";
import { wordsOf } from "../rank/words.ts";
import type { IndexEntry } from "./schema.ts";

const MAX_WORDS = { readme: 4000, paths: 4000, symbols: 12_000, topics: 200 };

/** The entry of a repository: its words, cut so that the index stays small whatever is put into it. */
export function describeRepository(map: RepositoryMap, source: string): IndexEntry {
  const topics = topicsOf(map);
  const readme = map.readme?.text ?? "";
  const symbols = map.ranking.flatMap((index) =>
    map.modules[index].outline.definitions.flatMap(({ name, doc }) => wordsOf(`${name} ${doc}`)),
  );
  return {
    schema: "mlebench/indexed-repository",
    version: 1,
    name: map.name,
    folder: map.root,
    source,
    commit: map.commit,
    digest: contentDigest(map),
    licence: { name: map.licence.name, reuse: map.licence.reuse },
    modules: map.modules.length,
    lines: map.modules.reduce((sum, { outline }) => sum + outline.lines, 0),
    about: aboutOf(readme),
    topics,
    words: {
      readme: wordsOf(readme).slice(0, MAX_WORDS.readme).join(" "),
      paths: map.files
        .flatMap(({ path }) => wordsOf(path))
        .slice(0, MAX_WORDS.paths)
        .join(" "),
      symbols: symbols.slice(0, MAX_WORDS.symbols).join(" "),
      topics: topics.flatMap(wordsOf).slice(0, MAX_WORDS.topics).join(" "),
    },
  };
}

/** Of the list of files and the text of the sources: the same content has the same digest wherever it lies. */
function contentDigest(map: RepositoryMap): string {
  const hash = createHash("sha256");
  for (const { path, bytes } of map.files) hash.update(`${path}\0${bytes}\n`);
  for (const { path } of map.modules) hash.update(`${path}\0${map.read(path) ?? ""}`);
  return hash.digest("hex");
}

/** The first paragraph of a README that is a sentence, not a heading or a badge. */
function aboutOf(readme: string): string {
  const paragraphs = readme
    .split(/\n\s*\n/)
    .map((text) => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").trim());
  const sentence = paragraphs.find((text) => /^[\p{L}`*_]/u.test(text) && text.length > 30);
  return shorten(sentence ?? paragraphs[0] ?? "", 240);
}

/** Keywords of the packaging, headings of the README, names of packages it needs. */
function topicsOf(map: RepositoryMap): string[] {
  const keywords = ["pyproject.toml", "setup.cfg", "setup.py", "package.json"].flatMap((file) => {
    const text = map.files.some((one) => one.path === file) ? map.read(file) : null;
    const list = /keywords["']?\s*[:=]\s*(\[[^\]]*\]|"[^"\n]*"|'[^'\n]*'|[^\n]*)/.exec(text ?? "")?.[1] ?? "";
    return list.split(/[,[\]"']/).map((word) => word.trim());
  });
  const headings = [...(map.readme?.text ?? "").matchAll(/^#{1,3}\s+(.+)$/gm)].map(([, heading]) =>
    shorten(heading, 60),
  );
  const needs = map.requirements.list.map(({ name }) => name);
  return [...new Set([...keywords, ...headings, ...needs].filter((word) => word !== ""))].slice(0, 60);
}
