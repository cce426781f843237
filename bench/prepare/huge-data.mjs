// Raw data of the sizes that preparing has to bear: a block of made-up rows, written over and over.
import fs from "node:fs";
import path from "node:path";
import { seeded } from "../seeded.mjs";
import { makeTaxiData } from "./taxi-data.mjs";

const WORDS = [
  "the",
  "river",
  "house",
  "of",
  "night",
  "it's",
  "century",
  "<P>",
  "</P>",
  "(",
  ")",
  "Ünïcode",
  ",",
];

/** Overwritten with the number of the block in each of them. */
const STAMP = "#######";

/** Each makes its folder of raw data and says what is in it. */
export const HUGE = {
  "new-york-city-taxi-fare-prediction": {
    what: "55 million rows",
    make(raw, folder) {
      const source = path.join(makeTaxiData(folder, 1_000_000), "train.csv");
      const text = fs.readFileSync(source);
      const rows = text.indexOf(10) + 1;
      fs.copyFileSync(source, path.join(raw, "train.csv"));
      repeat(path.join(raw, "train.csv"), text.subarray(rows), 54);
      fs.writeFileSync(path.join(raw, "GCP-Coupons-Instructions.rtf"), "{\\rtf1}");
    },
  },
  "tensorflow2-question-answering": {
    what: "17 GB of JSONL",
    make(raw) {
      const block = Buffer.from(Array.from({ length: 1000 }, (_, i) => exampleLine(i, seeded(i))).join(""));
      // No page and no id comes twice, as in the official data: what is kept of each must be seen in the memory.
      const stamps = positionsOf(block, STAMP);
      repeat(path.join(raw, "simplified-nq-train.jsonl"), block, Math.ceil(17e9 / block.length), (time) => {
        for (const position of stamps) block.write(String(time).padStart(STAMP.length, "0"), position);
      });
      fs.writeFileSync(path.join(raw, "simplified-nq-test.jsonl"), "");
      fs.writeFileSync(path.join(raw, "sample_submission.csv"), "example_id,PredictionString\n");
    },
  },
  "h-and-m-personalized-fashion-recommendations": {
    what: "20 million rows",
    make(raw) {
      const random = seeded(1);
      const rows = Array.from({ length: 100_000 }, () => transaction(random)).join("");
      const target = path.join(raw, "transactions_train.csv");
      fs.writeFileSync(target, "t_dat,customer_id,article_id,price,sales_channel_id\n");
      repeat(target, Buffer.from(rows), 200);
      fs.writeFileSync(path.join(raw, "articles.csv"), "article_id\n0684456394\n");
      fs.writeFileSync(path.join(raw, "customers.csv"), "customer_id\na\n");
      fs.writeFileSync(path.join(raw, "sample_submission.csv"), "customer_id,prediction\na,0684456394\n");
      fs.mkdirSync(path.join(raw, "images"));
    },
  },
};

function repeat(file, block, times, change = () => {}) {
  const descriptor = fs.openSync(file, "a");
  for (let i = 0; i < times; i++) {
    change(i);
    for (let done = 0; done < block.length; ) done += fs.writeSync(descriptor, block, done);
  }
  fs.closeSync(descriptor);
}

function positionsOf(block, text) {
  const positions = [];
  for (let at = block.indexOf(text); at >= 0; at = block.indexOf(text, at + 1)) positions.push(at);
  return positions;
}

/** About as long as the official ones: a whole encyclopedia page and its candidates. */
function exampleLine(number, random) {
  const below = (limit) => Math.floor(random() * limit);
  const words = Array.from({ length: 8000 }, () => WORDS[below(WORDS.length)]);
  const span = () => ({ start_token: below(8000), end_token: below(8000) });
  const example = {
    document_text: `${STAMP} ${words.join(" ")}`,
    long_answer_candidates: Array.from({ length: 120 }, () => ({ ...span(), top_level: random() < 0.5 })),
    question_text: `${STAMP} ${words.slice(0, 9).join(" ")}`,
    annotations: [
      {
        yes_no_answer: "NONE",
        long_answer: { ...span(), candidate_index: 3 },
        short_answers: [span()],
        annotation_id: number,
      },
    ],
    document_url: `https://example.org/${STAMP}/${number}`,
  };
  const id = `5${STAMP}${String(number).padStart(11, "0")}`;
  return `${JSON.stringify(example).slice(0, -1)},"example_id":${id}}\n`;
}

function transaction(random) {
  const day = new Date(Date.UTC(2018, 8, 20) + Math.floor(random() * 730) * 864e5).toISOString().slice(0, 10);
  const customer = Math.floor(random() * 1e6)
    .toString(16)
    .padStart(64, "0123456789abcdef");
  return `${day},${customer},0${600000000 + Math.floor(random() * 1e6)},${random() / 10},${random() < 0.5 ? 1 : 2}\n`;
}
