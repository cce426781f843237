import { describe, expect, test } from "vitest";
import { normaliseRequest } from "../../../../src/models/cassettes/normalise.ts";

const same = (a: string, b: string) => expect(normaliseRequest(a)).toBe(normaliseRequest(b));

describe("two runs of one agent ask the same where they differ in", () => {
  test.each([
    // As Codex names what it sends; `_` is a letter to \b.
    ["ids", "msg_ba02a92b-ba13-5bd4-b7fa-bf2074fed60f", "msg_ca0b1c59-fdcc-58f4-a956-25482516151e"],
    ["UUIDs alone", "ba02a92b-ba13-5bd4-b7fa-bf2074fed60f", "CA0B1C59-fdcc-58f4-a956-25482516151e"],
    ["digests", "call_3edaea8682322ac25c6ea8", "call_4f2185e942c733f1eb5f69ca"],
    ["chunks of output", "Chunk ID: 32831b\nls", "Chunk ID: de2a4c\nls"],
    ["sessions", "Process running with session ID 41273", "Process running with session ID 8"],
    ["places", "see /tmp/abc/x.txt.", "see /tmp/de/y.txt."],
    ["times", "at 2026-11-18T08:00:00Z", "at 2027-01-01 00:00:00.5+01:00"],
    // As Gemini CLI and Claude Code tell their models: without it a recording is good for one day, or for one month.
    ["days", "Today's date is Thursday, November 19, 2026 (", "Today's date is Friday, January 1, 2027 ("],
    ["months", "The current month is November 2026 —", "The current month is May 2027 —"],
    ["days as others write them", "on Thu, 19 Nov 2026.", "on Fri, 1 Jan 2027."],
    ["times in a list of files", "4096 Nov 18 14:54 x", "4096 Jan  1  2027 x"],
    ["durations", "Wall time: 0.0012 seconds", "Wall time: 12 seconds"],
    ["what is left", "remaining: $0.4312", "remaining: $0.2"],
  ])("%s", (_, a, b) => same(a, b));
});

test.each([
  ["words", "the first session", "the second session"],
  ["months alone", "sales in March", "sales in May"],
  ["years alone", "the model of 2019", "the model of 2020"],
  ["scores", "METRIC rmse = 0.136 (lower is better)", "METRIC rmse = 0.137 (lower is better)"],
  ["names of columns", "id,session_length", "id,session_count"],
  ["parts of longer words", "g3edaea8682322ac25c6ea8h", "g4f2185e942c733f1eb5f69h"],
])("they do not where they differ in %s", (_, a, b) => {
  expect(normaliseRequest(a)).not.toBe(normaliseRequest(b));
});
