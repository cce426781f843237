import { expect, test } from "vitest";
import { judgeReplay, REPLAY_SHARES } from "../../../../src/analysis/scorecard/replay.ts";

const ran = () => ({ command: ["sh"], sandbox: "bubblewrap" as const, seconds: 1, deviations: [] });
const THEN = { submission: "a", code: [] };

test.each([
  ["the same bytes, whatever the score", "a", null, 0.5, "same bytes", 1],
  ["0.1 % of the score away", "b", 0.5005, 0.5, "same score", 0.8],
  ["a little further away", "b", 0.50051, 0.5, "different", 0],
  ["1e-5 away from a small score", "b", 0.00001, 0, "same score", 0.8],
  ["0.1 % of a negative score away", "b", -1.001, -1, "same score", 0.8],
  ["no score now", "b", null, 0.5, "different", 0],
  ["no score then", "b", 0.5, null, "different", 0],
] as const)("%s", (_, submissionSha256, score, before, verdict, share) => {
  const outcome = { status: "ran" as const, submissionSha256, score, ...ran() };
  const replayed = judgeReplay(outcome, ["sh"], THEN, before);
  expect(replayed.verdict).toBe(verdict);
  expect(REPLAY_SHARES[replayed.verdict]).toBe(share);
});

test("what could not be run leaves R out, what failed is 0", () => {
  const impossible = {
    status: "impossible",
    message: "no data",
    nextStep: "get them",
    blame: "user",
  } as const;
  expect(judgeReplay(impossible, ["sh"], THEN, 1)).toMatchObject({
    verdict: "impossible",
    message: "no data (get them)",
  });
  expect(REPLAY_SHARES.impossible).toBeNull();
  const failed = { status: "failed" as const, message: "It fell.", blame: "agent" as const, ...ran() };
  expect(judgeReplay(failed, ["sh"], THEN, 1)).toMatchObject({ verdict: "failed", message: "It fell." });
  expect(REPLAY_SHARES.failed).toBe(0);
});
