import { join } from "node:path";
import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import { plainCsv, readPlainCsv } from "../learners/plain-csv.ts";
import { variantsOf } from "../learners/variants.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type AlignedWord, alignWords } from "./pronunciation/align.ts";
import { jointSequences } from "./pronunciation/joint.ts";
import { boostedSpeller, forestSpeller, networkSpeller } from "./pronunciation/learned.ts";
import { averagedPerceptron } from "./pronunciation/perceptron.ts";
import { joinSounds, meanDistance, type Speller } from "./pronunciation/speller.ts";
import { byEnding, contextTables, likeliest, memory } from "./pronunciation/tables.ts";

interface Named {
  readonly name: string;
  readonly family: string;
  readonly spell: Speller;
}

export const field: Field = {
  competitionId: "starter-pronunciation",
  open(publicFolder, seed) {
    const train = readPlainCsv(join(publicFolder, "train.csv"));
    const test = readPlainCsv(join(publicFolder, "test.csv"));
    const phonemes = train.get("phonemes")!.map((list) => list.split(" "));
    let aligned: AlignedWord[] | null = null;
    const solution = ({ name, family, spell }: Named): Solution => ({
      name,
      family,
      solve() {
        aligned ??= alignWords(train.get("word")!, phonemes);
        const say = spell(aligned);
        const words = test.get("word")!;
        return plainCsv("word_id,phonemes", test.get("word_id")!, (row) => joinSounds(say(words[row])));
      },
    });
    const drawn = variantsOf(seed, solution);
    return [
      ...simple.map(solution),
      ...drawn(22, 1, drawTables),
      ...drawn(14, 2, drawMemory),
      ...drawn(18, 3, drawJoint),
      ...drawn(17, 4, drawPerceptron),
      ...drawn(7, 5, drawForest),
      ...drawn(5, 6, drawBoosting),
      ...drawn(4, 7, drawNetwork),
      ...drawn(18, 8, drawVote),
    ];
  },
};

const always =
  (chunk: (word: string, at: number) => string): Speller =>
  () =>
  (word) =>
    Array.from(word, (_, at) => chunk(word, at));

/** What a traveller might read from a phrase book: a sound for each letter, whatever stands beside it. */
const PHRASE_BOOK: Record<string, string> = {
  ...{ a: "AE", b: "B", c: "K", d: "D", e: "EH", f: "F", g: "G", h: "HH", i: "IH", j: "JH", k: "K", l: "L" },
  ...{ m: "M", n: "N", o: "AA", p: "P", q: "K", r: "R", s: "S", t: "T", u: "AH", v: "V", w: "W", x: "K S" },
  ...{ y: "IY", z: "Z" },
};

const simple: readonly Named[] = [
  {
    name: "four common phonemes for each word",
    family: "constant",
    spell: always((_, at) => (at === 0 ? "K AH" : at === 1 ? "N ER" : "")),
  },
  {
    name: "AH and N in turn, as long as the word",
    family: "constant",
    spell: always((_, at) => (at % 2 === 0 ? "AH" : "N")),
  },
  { name: "a phrase book of 26 sounds", family: "rule", spell: always((word, at) => PHRASE_BOOK[word[at]]) },
  {
    name: "a phrase book, double letters said once and a last e not at all",
    family: "rule",
    spell: always((word, at) =>
      word[at] === word[at - 1] || (word[at] === "e" && at === word.length - 1) ? "" : PHRASE_BOOK[word[at]],
    ),
  },
  { name: "like the word with the same ending, at least 3 letters", family: "rule", spell: byEnding(3) },
  { name: "like the word with the same ending, at least 2 letters", family: "rule", spell: byEnding(2) },
];

/** On a part of the words only, if the part is less than all. */
function onPart(part: number, seed: number, spell: Speller): Speller {
  if (part === 1) return spell;
  return (training) => {
    const rows = randomSubset(training.length, Math.round(part * training.length), seededRandom(seed));
    return spell(Array.from(rows, (row) => training[row]));
  };
}

function drawPart(draw: Draw, parts: readonly number[]) {
  const [part, seed] = [draw.pick(parts), draw.whole(1, 999)];
  return {
    wrap: (spell: Speller) => onPart(part, seed, spell),
    label: part === 1 ? "" : `, ${part} of the words`,
  };
}

function drawTables(draw: Draw): Named {
  const options = {
    left: draw.whole(0, 4),
    right: draw.whole(0, 4),
    order: draw.pick(["left first", "right first", "in turn"] as const),
    least: draw.pick([1, 1, 2, 4]),
    mixed: draw.chance(0.4),
  };
  const { left, right, order, least, mixed } = options;
  const { wrap, label } = drawPart(draw, [0.25, 0.5, 1, 1]);
  return {
    name: `tables of ${left}+${right} letters, ${order}, from ${least}${mixed ? ", mixed" : ""}${label}`,
    family: "transducer",
    spell: wrap(contextTables(options)),
  };
}

function drawMemory(draw: Draw): Named {
  const options = {
    k: draw.whole(1, 9),
    reach: draw.whole(2, 5),
    decay: draw.pick([0.4, 0.5, 0.6, 0.75, 0.9]),
  };
  const { wrap, label } = drawPart(draw, [0.3, 0.6, 1]);
  return {
    name: `${options.k} likest places within ${options.reach} letters, decay ${options.decay}${label}`,
    family: "neighbours",
    spell: wrap(memory(options)),
  };
}

function drawJoint(draw: Draw): Named {
  const options = {
    order: draw.whole(2, 6),
    discount: draw.pick([0.4, 0.6, 0.75, 0.9]),
    beam: draw.pick([1, 2, 4]),
  };
  const { wrap, label } = drawPart(draw, [0.3, 0.6, 1, 1]);
  return {
    name: `joint sequences of order ${options.order}, discount ${options.discount}, beam ${options.beam}${label}`,
    family: "transducer",
    spell: wrap(jointSequences(options)),
  };
}

function drawPerceptron(draw: Draw): Named {
  const options = {
    reach: draw.whole(1, 4),
    width: draw.whole(1, 5),
    history: draw.whole(0, 2),
    passes: draw.whole(1, 4),
    seed: draw.whole(1, 999),
  };
  const { reach, width, history, passes } = options;
  const { wrap, label } = drawPart(draw, [0.3, 0.6, 1]);
  return {
    name: `averaged perceptron, ${reach} letters around, runs of ${width}, ${history} sounds before, ${passes} passes${label}`,
    family: "linear",
    spell: wrap(averagedPerceptron(options)),
  };
}

function drawForest(draw: Draw): Named {
  const options = {
    kind: draw.pick(["random", "extra"] as const),
    trees: draw.whole(1, 12),
    featureShare: draw.pick([0.3, 0.5, 0.8]),
    minSamplesLeaf: draw.whole(1, 4),
    seed: draw.whole(1, 999),
  };
  const reach = draw.whole(2, 4);
  const { wrap, label } = drawPart(draw, [0.3, 0.6]);
  return {
    name: `${options.kind} forest of ${options.trees} for each letter, ${reach} letters around, leaves from ${options.minSamplesLeaf}${label}`,
    family: "trees",
    spell: wrap(forestSpeller(reach, options)),
  };
}

function drawBoosting(draw: Draw): Named {
  const options = {
    trees: draw.whole(8, 20),
    learningRate: draw.scale(0.15, 0.4),
    maxLeaves: draw.whole(6, 16),
    minSamplesLeaf: draw.whole(3, 15),
    seed: draw.whole(1, 999),
  };
  const reach = draw.whole(2, 3);
  const { wrap, label } = drawPart(draw, [0.3, 0.6]);
  return {
    name: `${options.trees} boosted trees of ${options.maxLeaves} leaves for each letter, ${reach} letters around${label}`,
    family: "boosting",
    spell: wrap(boostedSpeller(reach, options)),
  };
}

function drawNetwork(draw: Draw): Named {
  const options = {
    reach: draw.whole(2, 4),
    hidden: draw.pick([[32], [48], [64]]),
    epochs: draw.whole(2, 4),
    seed: draw.whole(1, 999),
  };
  const { wrap, label } = drawPart(draw, [0.3, 0.5]);
  return {
    name: `network ${options.hidden.join("-")}, ${options.reach} letters around, ${options.epochs} epochs${label}`,
    family: "network",
    spell: wrap(networkSpeller(options)),
  };
}

const HELD_BACK = 800;

/** Each letter gets the sounds for which most models vote. */
function drawVote(draw: Draw): Named {
  const [size, seed, isWeighed] = [draw.whole(3, 6), draw.whole(1, 9999), draw.chance(0.6)];
  const members = drawFrom(seed);
  const kinds = [drawPerceptron, drawPerceptron, drawJoint, drawJoint, drawTables, drawMemory];
  const models = Array.from({ length: size }, () => members.pick(kinds)(members).spell);
  return {
    name: `${isWeighed ? "votes by merit" : "plain votes"} of ${size} models (${seed})`,
    family: "ensemble",
    spell(training) {
      const spellers = models.map((model) => model(isWeighed ? training.slice(HELD_BACK) : training));
      const weights = spellers.map((say) => (isWeighed ? merit(training.slice(0, HELD_BACK), say) : 1));
      return (word) => {
        const said = spellers.map((say) => say(word));
        return Array.from(word, (_, at) => {
          const votes = new Map<string, number>();
          for (const [i, chunks] of said.entries())
            votes.set(chunks[at], (votes.get(chunks[at]) ?? 0) + weights[i]);
          return likeliest(votes);
        });
      };
    },
  };
}

/** Models with few errors count for more, and much more if they have far fewer. */
function merit(words: readonly AlignedWord[], say: (word: string) => readonly string[]): number {
  return meanDistance(words, say) ** -3;
}
