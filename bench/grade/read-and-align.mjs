// Reads all columns of two files and aligns their rows. read-and-align.mjs <bundled table code> <id> <answers> <submission>
import { pathToFileURL } from "node:url";

const [, , bundle, id, answersFile, submissionFile] = process.argv;
const { compareIds, readCsvFile } = await import(pathToFileURL(bundle).href);
const [answers, submission] = [answersFile, submissionFile].map((file) => {
  const read = readCsvFile(file);
  if (!read.ok) throw new Error(read.problem.message);
  return read.table.column(id);
});
if (!compareIds(submission, answers).same) throw new Error("the ids differ");
