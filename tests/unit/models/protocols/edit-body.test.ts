import fc from "fast-check";
import { expect, test } from "vitest";
import { editBody } from "../../../../src/models/protocols/edit-body.ts";

const edit = (text: string, edits: Parameters<typeof editBody>[1]) =>
  Buffer.from(editBody(Buffer.from(text), edits)).toString();

test("only the named field of a body changes, to the byte", () => {
  const body = '{ "model" : "a\\"}",\n "x": {"model": "inner"}, "n": 1.0 , "list":[1, {"model":2}] }\n';
  expect(edit(body, { model: "b" })).toBe(
    '{ "model" : "b",\n "x": {"model": "inner"}, "n": 1.0 , "list":[1, {"model":2}] }\n',
  );
  expect(edit(body, { model: undefined })).toBe(
    '{ "x": {"model": "inner"}, "n": 1.0 , "list":[1, {"model":2}] }\n',
  );
  expect(edit(body, { list: undefined, n: 2 })).toBe(
    '{ "model" : "a\\"}",\n "x": {"model": "inner"}, "n": 2  }\n',
  );
});

test("a field that occurs twice, or under an escaped name, is changed wherever it stands", () => {
  expect(edit('{"model":"a","m\\u006fdel":"b"}', { model: "c" })).toBe('{"model":"c","m\\u006fdel":"c"}');
});

test("a new field is added at the end, also to an empty object", () => {
  expect(edit('{"a":1 }', { b: [2] })).toBe('{"a":1 ,"b":[2]}');
  expect(edit(" {} ", { b: 2 })).toBe(' {"b":2} ');
  expect(edit('{"a":1}', { a: undefined, b: 2 })).toBe('{"b":2}');
});

test("for any object and any edits the result parses to the edited object", () => {
  const key = fc.constantFrom("a", "b", "c", 'q"', "\\");
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue()),
      fc.dictionary(key, fc.option(fc.jsonValue(), { nil: undefined })),
      fc.constantFrom(undefined, 1, "\t"),
      (object, edits, indent) => {
        const text = JSON.stringify(object, null, indent);
        const expected = { ...object, ...edits } as Record<string, unknown>;
        expect(JSON.parse(edit(text, edits as Parameters<typeof editBody>[1]))).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      },
    ),
    { numRuns: 500 },
  );
});
