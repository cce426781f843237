import fc from "fast-check";
import { expect, test } from "vitest";
import { multipartBoundary, multipartParser } from "../../../src/trials/surroundings/multipart.ts";

interface Part {
  name: string | null;
  body: Buffer;
}

/** Feeds a body in pieces of the given sizes. */
function parse(
  body: Buffer,
  boundary: string,
  sizes: readonly number[],
): { parts: Part[]; problem: string | null } {
  const parts: Part[] = [];
  const parser = multipartParser(boundary, {
    begin: (name) => void parts.push({ name, body: Buffer.alloc(0) }),
    write: (chunk) => {
      parts.at(-1)!.body = Buffer.concat([parts.at(-1)!.body, chunk]);
    },
    end: () => {},
  });
  let at = 0;
  for (let i = 0; at < body.length; i++) {
    const size = sizes[i % sizes.length];
    parser.push(body.subarray(at, at + size));
    at += size;
  }
  return { parts, problem: parser.finish() };
}

function form(parts: readonly Part[], boundary: string): Buffer {
  const pieces = parts.flatMap(({ name, body }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n`),
    body,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

test("whatever the content and however it is cut, the parts come out as they went in", () => {
  // Content that looks like the beginning of a boundary is where such parsers fail.
  const content = fc
    .array(
      fc.oneof(
        fc.constantFrom("\r\n", "\r\n--", "\r\n--bo", "--boundary", "\r", "\n", "-"),
        fc.string({ maxLength: 8 }).filter((text) => !text.includes("boundary")),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join("").replaceAll("\r\n--boundary", "x"));
  fc.assert(
    fc.property(
      fc.array(content, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      (contents, sizes) => {
        const parts = contents.map((text, i) => ({ name: `field${i}`, body: Buffer.from(text) }));
        const result = parse(form(parts, "boundary"), "boundary", sizes);
        expect(result.problem).toBeNull();
        expect(result.parts.map(({ name, body }) => [name, body.toString()])).toEqual(
          parts.map(({ name, body }) => [name, body.toString()]),
        );
      },
    ),
  );
});

test("an upload that ends early is malformed", () => {
  const whole = form([{ name: "file", body: Buffer.from("a,b\n1,2\n") }], "x");
  expect(parse(whole.subarray(0, -6), "x", [7]).problem).toBe("the upload ended before its last boundary");
  expect(parse(Buffer.alloc(0), "x", [1]).problem).not.toBeNull();
});

test("a header without an end is refused instead of collected", () => {
  const endless = Buffer.concat([Buffer.from("--x\r\nA: "), Buffer.alloc(50_000, "a")]);
  expect(parse(endless, "x", [1000]).problem).toBe("a part's header is too long");
});

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['multipart/form-data; charset=utf-8; boundary="a b"', "a b"],
  ["text/csv", null],
  ["multipart/form-data", null],
  [undefined, null],
])("the boundary of %j is %j", (header, expected) => {
  expect(multipartBoundary(header)).toBe(expected);
});
