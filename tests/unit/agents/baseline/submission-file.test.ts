import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatProblem } from "../../../../src/agents/baseline/format-check.ts";
import { submissionFile } from "../../../../src/agents/baseline/submission-file.ts";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const SAMPLE = {
  header: ["id", "value"],
  rows: 2,
  columns: [
    ["a", "b,c"],
    ["0.5", "0.5"],
  ],
};
let verdict = { result: "Submission is valid.", is_valid: true };
const server = http.createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end(JSON.stringify(verdict)));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

function contractFor(folder: string, port: number) {
  return readContract({ SUBMISSION_DIR: folder, MLEBENCH_VALIDATE_URL: `http://127.0.0.1:${port}/validate` });
}

test("a well-formed submission is placed, with cells quoted where they must be", async () => {
  const folder = temporaryFolder();
  const offer = submissionFile(contractFor(folder, (server.address() as AddressInfo).port), SAMPLE);
  expect(await offer([["1", "0.25"]])).toEqual({ status: "placed" });
  expect(fs.readFileSync(path.join(folder, "submission.csv"), "utf8")).toBe('id,value\na,1\n"b,c",0.25\n');
});

test("a submission with a number missing does not replace a valid one", async () => {
  const folder = temporaryFolder();
  const offer = submissionFile(contractFor(folder, 1), SAMPLE);
  await offer([["1", "2"]]);
  expect(await offer([["1", "NaN"]])).toEqual({
    status: "refused",
    reason: "row 2 of value is not a number",
  });
  expect(fs.readdirSync(folder)).toEqual(["submission.csv"]);
  expect(fs.readFileSync(path.join(folder, "submission.csv"), "utf8")).toContain("a,1\n");
});

test("a submission that the harness refuses does not replace a valid one", async () => {
  const folder = temporaryFolder();
  const offer = submissionFile(contractFor(folder, (server.address() as AddressInfo).port), SAMPLE);
  await offer([["1", "2"]]);
  verdict = { result: "too large", is_valid: false };
  expect(await offer([["3", "4"]])).toEqual({ status: "refused", reason: "too large" });
  verdict = { result: "Submission is valid.", is_valid: true };
  expect(fs.readFileSync(path.join(folder, "submission.csv"), "utf8")).toContain("a,1\n");
});

test.each([
  ["other columns", "id,other\na,1\nb,2\n", "its columns are not those of the sample"],
  ["a row missing", "id,value\na,1\n", "it has 1 rows, the sample has 2"],
  ["another id", 'id,value\na,1\n"b",2\n', "row 2 has the id b, the sample has b,c"],
])("a file with %s is named malformed", (_, content, problem) => {
  const file = writeText(temporaryFolder(), "x.csv", content);
  expect(formatProblem(file, SAMPLE)).toBe(problem);
});
