// A first agent in JavaScript. With `runtime: node` it runs on the Node that mlebench runs on, in any sandbox.
import fs from "node:fs";
import path from "node:path";

const { DATA_DIR, SUBMISSION_DIR, MLEBENCH_VALIDATE_URL, MLEBENCH_DEADLINE_EPOCH } = process.env;
const left = Math.round(Number(MLEBENCH_DEADLINE_EPOCH) - Date.now() / 1000);
console.log(`${left} s are left`);

const sample = fs.readdirSync(DATA_DIR).find((name) => /sample.*submission.*\.csv$/i.test(name));
if (sample === undefined) {
  console.error(`there is no sample submission in ${DATA_DIR}`);
  process.exit(1);
}
const file = path.join(SUBMISSION_DIR, "submission.csv");
// Replace this line by what solves the competition.
fs.copyFileSync(path.join(DATA_DIR, sample), file);

// Asks the harness whether the file is well-formed; it never tells a score.
const form = new FormData();
form.set("file", new Blob([fs.readFileSync(file)]), "submission.csv");
const reply = await fetch(MLEBENCH_VALIDATE_URL, { method: "POST", body: form });
console.log(await reply.text());
