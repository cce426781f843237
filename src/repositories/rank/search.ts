import { isTest, type RepositoryMap } from "../map/repository-map.ts";
import type { Definition } from "../outline/outline.ts";
import { compareText } from "../source/walk-files.ts";
import { type Bm25, bm25 } from "./bm25.ts";
import { wordsOf } from "./words.ts";

export interface Hit {
  module: number;
  score: number;
  /** The definitions that fit best, at most three. */
  definitions: number[];
  /** Words of the query that occur in it. */
  words: string[];
}

/** Path, names of definitions, first sentences of the module and its classes, of the rest. */
const WEIGHTS = [3, 2, 1.5, 0.7];
const ASIDE =
  /(^|\/)(benchmarks?|examples?|docs?|externals?|_?vendor(ed)?|asv_bench|setup\.py|conftest\.py)(\/|$)/;

/** A search over the modules of a map. Made once, asked often. */
export function moduleSearch(map: RepositoryMap): (query: string, limit?: number) => Hit[] {
  const index = bm25(
    map.modules.map(({ path, outline }) => [
      wordsOf(path.replace(/\.\w+$/, "")),
      outline.definitions.flatMap(({ name }) => wordsOf(name)),
      wordsOf([outline.doc, ...outline.definitions.filter(isClass).map(({ doc }) => doc)].join("\n")),
      outline.definitions.flatMap((one) => (isClass(one) ? [] : wordsOf(one.doc))),
    ]),
    WEIGHTS,
  );
  return (query, limit = 10) => {
    const words = wordsOf(query);
    const scores = index.scores(words);
    const hits = map.modules.flatMap((_, module) =>
      scores[module] > 0 ? [hitOf(map, index, words, module, scores[module])] : [],
    );
    hits.sort(
      (a, b) => b.score - a.score || compareText(map.modules[a.module].path, map.modules[b.module].path),
    );
    return hits.slice(0, limit);
  };
}

const isClass = ({ kind }: Definition) => kind === "class";

/** A module in which one definition answers most of the question stands before one whose words are spread. */
function hitOf(
  map: RepositoryMap,
  index: Bm25,
  words: readonly string[],
  module: number,
  score: number,
): Hit {
  const { outline, path } = map.modules[module];
  const wanted = new Set(words);
  const best = outline.definitions
    .map((definition, at) => ({ at, fit: coverage(definition, wanted, index) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || a.at - b.at)
    .slice(0, 3);
  const all = [...wanted].reduce((sum, word) => sum + index.rarity(word), 0) || 1;
  const bonus = 1 + (best[0]?.fit ?? 0) / all;
  const prior =
    (isTest(path) ? 0.3 : 1) * (ASIDE.test(path) ? 0.5 : 1) * (1 + map.importance[module].total / 40);
  return {
    module,
    score: score * bonus * prior,
    definitions: best.map(({ at }) => at),
    words: foundWords(map, module, wanted),
  };
}

/** Names count in full, the sentence about it half. Private helpers are not what somebody asks for. */
function coverage({ name, qualified, doc }: Definition, wanted: ReadonlySet<string>, index: Bm25): number {
  const named = new Set(wordsOf(qualified));
  const told = new Set(wordsOf(doc));
  let sum = 0;
  for (const word of wanted) {
    if (named.has(word)) sum += index.rarity(word);
    else if (told.has(word)) sum += 0.6 * index.rarity(word);
  }
  return name.startsWith("_") ? sum * 0.7 : sum;
}

function foundWords(map: RepositoryMap, module: number, wanted: ReadonlySet<string>): string[] {
  const { path, outline } = map.modules[module];
  const texts = [path, outline.doc, ...outline.definitions.flatMap(({ name, doc }) => [name, doc])];
  const present = new Set(texts.flatMap(wordsOf));
  return [...wanted].filter((word) => present.has(word));
}
