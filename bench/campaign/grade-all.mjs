// Grades a list of submissions as `mlebench grade` does and tells what was done for it: grade-all.mjs <list> <data> <competitions>
import fs from "node:fs";
import path from "node:path";
import { gradeMany } from "../../dist/public/index.js";

const [, , list, dataDir, competitionsDir] = process.argv;
const submissions = fs
  .readFileSync(list, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .map(({ competition_id: competitionId, submission_path: submissionPath }) => ({
    competitionId,
    submissionPath,
    dataDir,
    competitionsDir,
  }));
const graded = new Set();
const readings = new Map();
const wanted = new Map();
const clock = setInterval(look, 20);
const startedAt = performance.now();
const grades = await gradeMany(submissions, {
  onWork({ process: worker, readAnswers, submissionPath }) {
    graded.add(submissionPath);
    const key = `${worker} ${path.basename(path.dirname(submissionPath))}`;
    if (readAnswers) readings.set(key, (readings.get(key) ?? 0) + 1);
    if (graded.size % 20 === 0) look();
  },
});
const wall = (performance.now() - startedAt) / 1000;
clearInterval(clock);
look();
const seconds = [...wanted.values()].reduce((sum, one) => sum + one, 0);
console.log(
  JSON.stringify({
    scored: grades.filter(({ status }) => status === "scored").length,
    graded: graded.size,
    mostReadings: Math.max(...readings.values()),
    workers: new Set([...readings.keys()].map((key) => key.split(" ")[0])).size,
    wall,
    wanted: seconds,
  }),
);

/**
 * What each grading process has used of the processors, and how long it stood in their queue for it: a busy machine changes
 * the one, not the sum. Of its threads the one that grades.
 */
function look() {
  const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  for (const pid of children.filter(Boolean)) {
    try {
      const [used, queued] = fs.readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
      wanted.set(pid, (used + queued) / 1e9);
    } catch {
      // Gone in the meantime.
    }
  }
}
