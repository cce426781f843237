// A campaign's files: made-up competitions of four kinds and of the sizes that test sets have, and what three seeds of an
// agent left at each of its snapshots. Written once, kept under .bench/.
import fs from "node:fs";
import path from "node:path";
import { seeded, shuffledOrder } from "../seeded.mjs";

/** Most test sets have some thousand rows, a few a hundred thousand: even in the logarithm. */
const ROWS = [500, 60_000];
/** An agent improves on what it has at some snapshots and leaves it as it is at the others. */
const CHANGES = 0.4;
const CLASSES = Array.from({ length: 10 }, (_, i) => `class_${i}`);

const KINDS = {
  auc: {
    import: "binaryAuc",
    grade: `binaryAuc({ id: "id", target: "target" })`,
    metric: "maximize",
    header: "id,target",
    id: (row) => `${100_000 + row}`,
    truth: (random) => (random() < 0.5 ? 0 : 1),
    guess: (truth, random) => Math.min(1, Math.max(0, 0.3 + 0.2 * truth + 0.5 * random())).toFixed(4),
  },
  regression: {
    import: "regression",
    grade: `regression({ id: "id", target: "target", error: (truth, guess) => Math.sqrt(truth.reduce((sum, value, i) => sum + (value - guess[i]) ** 2, 0) / truth.length), rows: "independent" })`,
    metric: "minimize",
    header: "id,target",
    id: (row, random) =>
      `${Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0")}${row}`,
    truth: (random) => 1 + Math.floor(random() * 100),
    guess: (truth, random) => (truth + 20 * (random() - 0.5)).toFixed(3),
  },
  labels: {
    import: "labelAccuracy",
    grade: `labelAccuracy({ id: "id", target: "target" })`,
    metric: "maximize",
    header: "id,target",
    id: (row) => `im${row}.jpg`,
    truth: (random) => Math.floor(random() * 7),
    guess: (truth, random) => (random() < 0.8 ? truth : Math.floor(random() * 7)),
  },
  classes: {
    import: "multiclassLogLoss, isRoughlyOne",
    grade: `multiclassLogLoss({ id: "id", classes: ${JSON.stringify(CLASSES)}, isOne: isRoughlyOne, sumOrder: "classes" })`,
    metric: "minimize",
    header: `id,${CLASSES.join(",")}`,
    id: (row) => `${row}`,
    truth: (random) => {
      const right = Math.floor(random() * 10);
      return CLASSES.map((_, i) => (i === right ? 1 : 0)).join(",");
    },
    guess: (truth, random) => {
      const rest = Math.floor(random() * 600);
      return truth
        .split(",")
        .map((cell) => ((cell === "1" ? 10_000 - 9 * rest : rest) / 10_000).toString())
        .join(",");
    },
  },
};

/** Returns the folders of competitions and data, and the list of submissions; `distinct` counts different contents. */
export function makeCampaign(folder, { competitions, seeds, snapshots, most = ROWS[1] }) {
  const places = {
    competitions: path.join(folder, "competitions"),
    data: path.join(folder, "data"),
    list: path.join(folder, "submissions.jsonl"),
    facts: path.join(folder, "facts.json"),
  };
  if (fs.existsSync(places.facts)) return { ...places, ...JSON.parse(fs.readFileSync(places.facts, "utf8")) };
  const names = Object.keys(KINDS);
  const lines = [];
  let distinct = 0;
  for (let number = 0; number < competitions; number++) {
    const kind = KINDS[names[number % names.length]];
    const id = `campaign-${number}`;
    const random = seeded(1000 + number);
    const rows = Math.round(ROWS[0] * (most / ROWS[0]) ** random());
    const ids = Array.from({ length: rows }, (_, row) => kind.id(row, random));
    const truths = ids.map(() => kind.truth(random));
    write(path.join(places.competitions, id, "competition.mjs"), definition(id, kind));
    write(
      path.join(places.data, id, "prepared/private/test.csv"),
      table(kind.header, ids, truths, ids.keys()),
    );
    for (let seed = 0; seed < seeds; seed++) {
      let before = null;
      for (let snapshot = 0; snapshot < snapshots; snapshot++) {
        const file = path.join(folder, "submissions", id, `${seed}-${snapshot}.csv`);
        if (before !== null && random() >= CHANGES) fs.linkSync(before, file);
        else {
          const guesses = truths.map((truth) => kind.guess(truth, random));
          write(file, table(kind.header, ids, guesses, shuffledOrder(rows, random)));
          distinct++;
        }
        before = file;
        lines.push(JSON.stringify({ competition_id: id, submission_path: file }));
      }
    }
  }
  write(places.list, `${lines.join("\n")}\n`);
  const facts = { gradings: lines.length, distinct };
  write(places.facts, JSON.stringify(facts));
  return { ...places, ...facts };
}

function definition(id, kind) {
  return `import { defineCompetition, ${kind.import} } from "mlebench/competition";
export const competition = defineCompetition({
  id: "${id}", name: "${id}", category: "Tabular", complexity: "dev", contest: "simple",
  dataSizeGB: null, opened: null, closed: null,
  metric: { name: "made up", direction: "${kind.metric}" },
  columns: { id: ["id"], target: ["target"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: ${kind.grade},
});
`;
}

function table(header, ids, cells, order) {
  const lines = Array.from(order, (row) => `${ids[row]},${cells[row]}`);
  return `${header}\n${lines.join("\n")}\n`;
}

function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
