import fc from "fast-check";
import { expect, test } from "vitest";
import { usageFilter } from "../../../../src/models/gateway/hide-usage.ts";

const USAGE = JSON.stringify({ id: "c", choices: [], usage: { prompt_tokens: 3 } });
const WITH_A_CHOICE = JSON.stringify({ choices: [{ delta: {} }], usage: { prompt_tokens: 3 } });

function filtered(stream: Buffer, borders: readonly number[]): Buffer {
  const filter = usageFilter();
  const passed = borders.slice(1).map((end, i) => filter.push(stream.subarray(borders[i], end)));
  return Buffer.concat([...passed, filter.end()]);
}

test("of any stream in any pieces all bytes pass but those of the event that tells nothing but usage", () => {
  const event = fc.record({
    lines: fc.array(
      fc.oneof(fc.constantFrom(USAGE, WITH_A_CHOICE, "[DONE]", "{}"), fc.string({ unit: "grapheme" })),
      { minLength: 1, maxLength: 3 },
    ),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      fc.array(fc.nat(2000), { maxLength: 8 }),
      fc.boolean(),
      (events, cuts, whole) => {
        const written = events.map(({ lines, lineEnd }) => {
          const texts = lines.map((line) => `data: ${line.replace(/[\r\n]/g, "")}${lineEnd}`);
          return { lines, text: `${texts.join("")}${lineEnd}` };
        });
        const all = written.map(({ text }) => text).join("");
        const stream = Buffer.from(whole ? all : all.slice(0, -1));
        const kept = written.filter(({ lines }) => lines[0] !== USAGE).map(({ text }) => text);
        const places = cuts.map((cut) => Math.min(cut, stream.length)).sort((a, b) => a - b);
        const got = filtered(stream, [0, ...places, stream.length]).toString();
        const expected = kept.join("");
        // Of a stream without its last byte the same must be missing.
        expect([expected, expected.slice(0, -1)]).toContain(got);
        if (whole) expect(got).toBe(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test("an event that comes byte by byte is looked at once", () => {
  const event = Buffer.from(`data: ${"x".repeat(60_000)}\n\n`);
  const filter = usageFilter();
  let tooEarly = 0;
  // Looked at from its start each time, this million bytes would take minutes.
  for (let i = 0; i < 16; i++)
    for (let at = 0; at < event.length; at++)
      if (filter.push(event.subarray(at, at + 1)).length > 0 && at < event.length - 1) tooEarly++;
  expect([tooEarly, filter.atBorder]).toEqual([0, true]);
});
