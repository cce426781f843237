import { expect, test } from "vitest";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { asPandasRows, readRecord } from "../../../../src/competitions/preparing/texts/pandas-records.ts";
import { preparer } from "../../../../src/competitions/tensorflow2-question-answering/prepare.ts";
import { pandasJson } from "../../../../src/table/json/pandas-json.ts";
import { read, workshop } from "./workshop.ts";

function printed(...lines: string[]): string[] {
  const records = lines.map((line, i) => readRecord("x.jsonl", Buffer.from(line), i + 1)!);
  return asPandasRows(records).map(pandasJson);
}

test("a column of whole floats becomes integers, one with a fraction stays", () => {
  expect(printed('{"a":1.0,"b":1}', '{"a":0.0,"b":0.5}')).toEqual(['{"a":1,"b":1.0}', '{"a":0,"b":0.5}']);
});

test("numbers inside lists keep their spelling", () => {
  expect(printed('{"a":[1.0,2]}')).toEqual(['{"a":[1.0,2]}']);
});

test("texts that all spell numbers become numbers, as in pandas", () => {
  expect(printed('{"a":"007","b":"7"}', '{"a":"1e2","b":"x"}')).toEqual([
    '{"a":7,"b":"7"}',
    '{"a":100,"b":"x"}',
  ]);
});

test("integers that fit neither int64 nor uint64 together become floats", () => {
  expect(printed('{"a":-7,"b":7}', '{"a":9223372036854775808,"b":18446744073709551615}')).toEqual([
    '{"a":-7.0,"b":7}',
    '{"a":9.223372037e+18,"b":18446744073709551615}',
  ]);
});

test("half a surrogate pair is lost and raw control characters are taken, as pandas reads them", () => {
  expect(printed('{"a":"x\\ud83dy","b":"1\t2","c":"\\ud83d\\ude00"}')).toEqual([
    '{"a":"xy","b":"1\\t2","c":"\\ud83d\\ude00"}',
  ]);
});

test("a record without a key has a gap, which makes integers floats", () => {
  expect(printed('{"a":1}', '{"b":"x"}')).toEqual(['{"a":1.0,"b":null}', '{"a":null,"b":"x"}']);
});

test("a blank line is not a record, and anything but an object ends the preparation with its line", async () => {
  expect(readRecord("x.jsonl", Buffer.from(" \r"), 1)).toBeNull();
  for (const line of ["[1]", "{", '{"a":"\xff"}']) {
    const { preparation, out } = workshop({ "simplified-nq-train.jsonl": Buffer.from(line, "latin1") });
    const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
    expect(outcome).toMatchObject({
      status: "failed",
      problem: { code: "RAW_MALFORMED", message: expect.stringContaining("line 1") },
    });
  }
});

test("every thousand lines are split by themselves, blank lines counted", async () => {
  const line = (id: number) =>
    JSON.stringify({
      document_text: `t${id}`,
      long_answer_candidates: [],
      question_text: `q${id}`,
      annotations: [
        {
          yes_no_answer: "NONE",
          long_answer: { start_token: -1, end_token: -1 },
          short_answers: [{ start_token: id, end_token: 9 }],
        },
      ],
      example_id: id,
    });
  const lines = Array.from({ length: 1010 }, (_, i) => (i === 5 ? "" : line(i)));
  const { preparation, out } = workshop({ "simplified-nq-train.jsonl": lines.join("\n") });
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  const gold = read(out, "private/gold_submission.csv").trimEnd().split("\n").slice(1);
  expect(gold).toHaveLength(2 * (100 + 1));
  expect(gold.slice(-2)).toEqual(["1002_short,1002:9", "1002_long,"]);
});
