// Made-up answers and submissions, the same on every run, kept under .bench/ so that they are written once.
import fs from "node:fs";
import path from "node:path";
import { seeded, shuffledOrder } from "../seeded.mjs";

/**
 * Lays out `<folder>/data/<competition>/…` and `<folder>/<name>.csv`, unless they are there, and returns both paths.
 * Cases of one competition draw the same random numbers for their answers, so they share them.
 */
export function makeData(folder, { name, competition, answersFile, header, line, sorted = false }, rows) {
  const answers = path.join(folder, "data", competition, answersFile);
  const submission = path.join(folder, `${name}.csv`);
  if (fs.existsSync(answers) && fs.existsSync(submission)) return { answers, submission };
  fs.mkdirSync(path.dirname(answers), { recursive: true });
  const random = seeded(20240607);
  const lines = Array.from({ length: rows }, (_, row) => line(row, random));
  writeLines(answers, [header.answers, ...lines.map((pair) => pair.answers)]);
  const order = sorted ? lines.keys() : shuffledOrder(rows, seeded(7));
  writeLines(submission, [header.submission, ...Array.from(order, (row) => lines[row].submission)]);
  return { answers, submission };
}

function writeLines(file, lines) {
  // A half-written file must not be taken for a finished one by the next run.
  const partial = `${file}.partial`;
  const out = fs.openSync(partial, "w");
  for (let start = 0; start < lines.length; start += 50_000) {
    fs.writeSync(out, `${lines.slice(start, start + 50_000).join("\n")}\n`);
  }
  fs.closeSync(out);
  fs.renameSync(partial, file);
}

const round = (value, digits) => Number(value.toFixed(digits));
const digits = (row, width) => String(row).padStart(width, "0");
const hex = (random, length) => {
  let text = "";
  while (text.length < length)
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return text.slice(0, length);
};

function aucLine(precision) {
  return (row, random) => {
    const id = `im${digits(row + 1, 7)}.jpg`;
    const truth = random() < 0.5 ? 0 : 1;
    const score = Math.min(1, Math.max(0, 0.25 + 0.25 * truth + 0.5 * random()));
    return { answers: `${id},${truth}`, submission: `${id},${round(score, precision)}` };
  };
}

/** As competitions on tables have it: numbered rows, and answers that kept columns nobody asks for. */
function tabularLine(row, random) {
  const id = 900_000 + row;
  const truth = random() < 0.5 ? 0 : 1;
  const score = Math.min(1, Math.max(0, 0.25 + 0.25 * truth + 0.5 * random()));
  const features = Array.from({ length: 5 }, () => round(random() * 10 - 5, 5)).join(",");
  return { answers: `${id},${features},${truth}`, submission: `${id},${round(score, 4)}` };
}

function logLossLine(row, random) {
  const weights = Array.from({ length: 10 }, () => random() ** 3);
  const truth = Math.floor(random() * 10);
  weights[truth] += 1;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => Math.round((weight / total) * 1e4));
  shares[truth] += 1e4 - shares.reduce((sum, share) => sum + share, 0);
  const probabilities = shares.map((share) => (share / 1e4).toString());
  const oneHot = Array.from({ length: 10 }, (_, i) => (i === truth ? 1 : 0));
  return { answers: `${row},${oneHot.join(",")}`, submission: `${row},${probabilities.join(",")}` };
}

function accuracyLine(row, random) {
  const truth = 1 + Math.floor(random() * 7);
  const guess = random() < 0.9 ? truth : 1 + Math.floor(random() * 7);
  return { answers: `${row * 3},${truth}`, submission: `${row * 3},${guess}` };
}

function rankingLine(_, random) {
  const id = `${hex(random, 16)}.jpg`;
  const truth = Math.floor(random() * 60_000);
  const list = Array.from({ length: 5 }, () => Math.floor(random() * 60_000));
  if (random() < 0.7) list[Math.floor(random() * 5)] = truth;
  return { answers: `${id},${truth}`, submission: `${id},${list.join(" ")}` };
}

function regressionLine(_, random) {
  const id = hex(random, 32);
  const truth = 1 + Math.floor(random() * 100);
  const guess = round(Math.min(100, Math.max(1, truth + 20 * (random() - 0.5))), 4);
  return { answers: `${id},${truth}`, submission: `${id},${guess}` };
}

function moleculeLine(_, random) {
  const id = hex(random, 12);
  const atoms = Array.from({ length: 8 + Math.floor(random() * 16) }, () => 1 + Math.floor(random() * 30));
  const truth = `InChI=1S/C${atoms.length}H${atoms[0]}NO/c${atoms.join("-")}/h3,5H,${atoms[1]}H2`;
  const at = 12 + Math.floor(random() * (truth.length - 14));
  const guess = random() < 0.2 ? truth : `${truth.slice(0, at)}(${atoms[2]})${truth.slice(at + 3, -2)}`;
  return { answers: `${id},"${truth}"`, submission: `${id},"${guess}"` };
}

function maskLine(row, random) {
  const id = `${1_000_000_000 + row}`;
  const runs = random() < 0.4 ? 0 : 3 + Math.floor(random() * 10);
  const first = 256 * (4 + Math.floor(random() * 200)) + 20 + Math.floor(random() * 200);
  const mask = (shift) => {
    const parts = [];
    for (let run = 0; run < runs; run++) parts.push(first + shift + 256 * run, 2 + Math.floor(random() * 6));
    return parts.join(" ") || "-";
  };
  return { answers: `${id},${mask(0)},256,256`, submission: `${id},${mask(Math.floor(random() * 3))}` };
}

const TEST = "prepared/private/test.csv";
const CLASSES = Array.from({ length: 10 }, (_, i) => `class_${i}`).join(",");
const auc = {
  competition: "aerial-cactus-identification",
  answersFile: TEST,
  header: sameHeader("id,has_cactus"),
};

function sameHeader(text) {
  return { answers: text, submission: text };
}

/**
 * The million-row cases: what they are called, the competition that grades them, and the lines of both files.
 * Submissions are shuffled, as agents leave them, unless a case says that it is sorted.
 */
export const DATA = {
  aucTabular: {
    name: "auc-tabular",
    competition: "tabular-playground-series-may-2022",
    answersFile: TEST,
    header: { answers: "id,f_00,f_01,f_02,f_03,f_04,target", submission: "id,target" },
    line: tabularLine,
  },
  auc: { name: "auc-sorted", ...auc, line: aucLine(4), sorted: true },
  aucShuffled: { name: "auc-shuffled", ...auc, line: aucLine(4) },
  aucLongDigits: { name: "auc-17-digits-shuffled", ...auc, line: aucLine(17) },
  logLoss: {
    name: "log-loss-shuffled",
    competition: "ten-classes",
    answersFile: TEST,
    header: sameHeader(`id,${CLASSES}`),
    line: logLossLine,
  },
  accuracy: {
    name: "accuracy-shuffled",
    competition: "tabular-playground-series-dec-2021",
    answersFile: TEST,
    header: sameHeader("Id,Cover_Type"),
    line: accuracyLine,
  },
  ranking: {
    name: "map-at-5-shuffled",
    competition: "hotel-id-2021-fgvc8",
    answersFile: TEST,
    header: sameHeader("image,hotel_id"),
    line: rankingLine,
  },
  regression: {
    name: "rmse-shuffled",
    competition: "petfinder-pawpularity-score",
    answersFile: TEST,
    header: sameHeader("Id,Pawpularity"),
    line: regressionLine,
  },
  levenshtein: {
    name: "levenshtein-shuffled",
    competition: "bms-molecular-translation",
    answersFile: TEST,
    header: sameHeader("image_id,InChI"),
    line: moleculeLine,
  },
  masks: {
    name: "dice-shuffled",
    competition: "google-research-identify-contrails-reduce-global-warming",
    answersFile: "prepared/private/answers.csv",
    header: { answers: "record_id,encoded_pixels,height,width", submission: "record_id,encoded_pixels" },
    line: maskLine,
  },
};
