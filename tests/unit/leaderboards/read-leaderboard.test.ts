import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLeaderboardCsv } from "../../../src/leaderboards/read-leaderboard.ts";

function scoresOf(text: string): number[] {
  const file = readLeaderboardCsv(text);
  if (file.status === "invalid") throw new Error(file.reason);
  return [...file.scores];
}

describe("a leaderboard file", () => {
  it("gives its scores in file order", () => {
    expect(scoresOf("teamId,score\n1,0.9232\n2,0.9220\n3,-2.5e-3\n")).toEqual([0.9232, 0.922, -0.0025]);
  });

  it("may start with a byte order mark, use any line ends, quote its fields and hold blank lines", () => {
    const text =
      '\uFEFFRank,"TeamName","Score"\r\n\r\n1,"Commas, ""quotes""\nand lines",0.5\r2,plain,"0.25"\n\n  \n';
    expect(scoresOf(text)).toEqual([0.5, 0.25]);
  });

  it("may end without a line end, even on an empty last field", () => {
    expect(scoresOf("score,note\n1,x\n2,")).toEqual([1, 2]);
    expect(scoresOf('note,score\nx,1\nx,"2"')).toEqual([1, 2]);
  });

  it("prefers the column spelled score over one in another case", () => {
    expect(scoresOf("SCORE,score\n1,2\n")).toEqual([2]);
    expect(scoresOf("team, Score \n1,2\n")).toEqual([2]);
  });

  it("counts teams without a score instead of ranking them", () => {
    const file = readLeaderboardCsv("team,score\na,1\nb,\nc,NaN\nd,0\n");
    expect(file).toEqual({ status: "read", scores: Float64Array.of(1, 0), teamsWithoutScore: 2 });
  });

  it.each([
    ["", "the file is empty"],
    ["\n\n", "the file is empty"],
    ["team,points\na,1\n", "no column is called score"],
    ["team,score\n", "the board has no scores"],
    ["team,score\na,\n", "the board has no scores"],
    ["team,score\na,1\nb,c,2\n", "line 3 has 3 fields, the header has 2"],
    ["team,score\na\n", "line 2 has 1 fields, the header has 2"],
    ['team,score\n"a\nb",1\nc,high\n', 'line 4: "high" is not a score'],
    ["team,score\na,Infinity\n", 'line 2: "Infinity" is not a score'],
    ["team,score\na,1e999\n", 'line 2: "1e999" is not a score'],
    ["team,score\na,0x10\n", 'line 2: "0x10" is not a score'],
    ['team,score\n"a,1\n', "line 2: a quote is not closed, or text follows it"],
    ['team,score\n"a"b,1\n', "line 2: a quote is not closed, or text follows it"],
  ])("%j is invalid: %s", (text, reason) => {
    expect(readLeaderboardCsv(text)).toEqual({ status: "invalid", reason });
  });

  it("any text gives an outcome, and every score read is finite", () => {
    const pieces = fc.constantFrom(
      "score",
      ",",
      '"',
      "\n",
      "\r",
      "\r\n",
      "1",
      "-0.5",
      "nan",
      "é",
      "\0",
      "\uFEFF",
    );
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const file = readLeaderboardCsv(text);
        if (file.status === "read") expect(file.scores.every(Number.isFinite)).toBe(true);
        else expect(file.reason).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });

  it("reads back whatever names and scores a careful writer put in", () => {
    const team = fc.tuple(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.array(team, { minLength: 1 }), fc.constantFrom("\n", "\r\n"), (teams, lineEnd) => {
        const rows = teams.map(([name, score]) => `"${name.replaceAll('"', '""')}",${score}`);
        expect(scoresOf(["name,score", ...rows].join(lineEnd))).toEqual(
          teams.map(([, s]) => Number(String(s))),
        );
      }),
    );
  });
});
