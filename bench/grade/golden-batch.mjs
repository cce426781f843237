// One valid submission for each competition of the golden vectors, laid out as a data folder and a submissions file.
import fs from "node:fs";
import path from "node:path";

export function layOutGoldenBatch(vectors, competitions, folder) {
  const data = path.join(folder, "golden-data");
  const lines = [];
  const pairs = [];
  for (const { id, files } of competitions) {
    const source = path.join(vectors, id);
    const cases = JSON.parse(fs.readFileSync(path.join(source, "cases.json"), "utf8"));
    const first = cases.find(({ valid }) => valid);
    if (!first) continue;
    const answers = fs.readdirSync(source).find((file) => file.startsWith("answers."));
    const target = path.join(data, id, files.answers);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(source, answers), target);
    pairs.push([target, path.join(source, first.file)]);
    lines.push(JSON.stringify({ competition_id: id, submission_path: path.join(source, first.file) }));
  }
  const list = path.join(folder, "golden-submissions.jsonl");
  fs.writeFileSync(list, `${lines.join("\n")}\n`);
  const pairsFile = path.join(folder, "golden-pairs.json");
  fs.writeFileSync(pairsFile, JSON.stringify(pairs));
  return { data, list, pairs: pairsFile, count: lines.length };
}
