import fs from "node:fs";
import path from "node:path";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { mlebench } from "../cli.ts";

/**
 * Runs an agent on starter-spam with the simulated model and a recording, and again with nothing but the recording. Says what is not
 * the same: the submission byte for byte, and what the ledgers say of each call but its times. What a request holds may differ where
 * the normalisers say that it means nothing, and so do its hash and its length.
 */
export function replayed(
  agent: string,
  place: { data: string; runs: string; sandbox?: string },
): { calls: number; problems: string[] } {
  const cassette = path.join(place.runs, "run.jsonl");
  const ways = { recorded: ["simulated:steady", "--record", cassette], replayed: [`recorded:${cassette}`] };
  const problems: string[] = [];
  const [before, after] = Object.entries(ways).map(([name, model]) => {
    const ran = mlebench(
      [
        ...[
          "run",
          "--agent",
          agent,
          "-c",
          "starter-spam",
          "--data-dir",
          place.data,
          "--runs-dir",
          place.runs,
        ],
        ...["--sandbox", place.sandbox ?? "bubblewrap", "--network", "none", "--name", name],
        ...["--until", "first-stop", "--time-limit", "150s", "--model", ...model],
      ],
      {},
      200_000,
    );
    const group = path.join(place.runs, name);
    const trial = fs.existsSync(group)
      ? fs.readdirSync(group).find((entry) => entry.startsWith("starter-spam_"))
      : undefined;
    if (trial === undefined) problems.push(`it was not ${name}: ${ran.stderr}`);
    return trial === undefined ? null : whatCameOf(path.join(group, trial));
  });
  if (before === null || after === null) return { calls: 0, problems };
  if (before.submission === null) problems.push("there is no submission");
  if (before.submission !== after.submission) problems.push("the submission's bytes differ");
  for (const [i, line] of before.ledger.entries())
    if (JSON.stringify(after.ledger[i]) !== JSON.stringify(line))
      problems.push(`call ${i} was ${JSON.stringify(line)} and is ${JSON.stringify(after.ledger[i])}`);
  if (after.ledger.length !== before.ledger.length)
    problems.push(`there were ${before.ledger.length} calls, and there are ${after.ledger.length}`);
  return { calls: before.ledger.length, problems };
}

function whatCameOf(trial: string) {
  const file = path.join(trial, "submission/submission.csv");
  const { lines } = readLedger(path.join(trial, "model/ledger.jsonl"));
  return {
    submission: fs.existsSync(file) ? fs.readFileSync(file, "latin1") : null,
    ledger: lines.map(
      ({ time: _, milliseconds: __, requestSha256: ___, bytesIn: ____, replayed: _____, ...rest }) => rest,
    ),
  };
}
