import fs from "node:fs";
import path from "node:path";
import { mlebench } from "../cli.ts";

/** Something that happens to a coding agent after it has submitted, and how its trial may end. */
export interface Hardship {
  replies: object[];
  options: readonly string[];
  ends: readonly string[];
}

const SUBMIT = { reply: { shell: 'cp "$DATA_DIR"/sample_submission.csv "$SUBMISSION_DIR"/submission.csv' } };
const DONE = { reply: { text: "I am done." }, repeat: "forever" };
const ONCE = ["--until", "first-stop", "--time-limit", "90s"];

/** What the submission of a coding agent has to survive. */
export const SURVIVAL = {
  /** The model's error in mid-turn. */
  error: {
    replies: [SUBMIT, { reply: { error: { status: 400, message: "the model broke" } }, repeat: "forever" }],
    options: ONCE,
    ends: ["exited", "failed"],
  },
  /** A budget that ends. */
  budget: {
    replies: [{ ...SUBMIT, repeat: "forever" }],
    options: ["--max-calls", "4", "--time-limit", "90s"],
    ends: ["budget"],
  },
  /** A deadline in the middle of a command. */
  deadline: {
    replies: [SUBMIT, { reply: { shell: "sleep 1000" }, repeat: "forever" }],
    options: ["--time-limit", "25s", "--grace", "2s"],
    ends: ["timeout"],
  },
  /** An early stop, continued. */
  stop: {
    replies: [SUBMIT, { reply: { text: "I am done." } }, SUBMIT, DONE],
    options: ["--until", "used:0.9", "--time-limit", "180s"],
    ends: ["exited", "failed"],
  },
  /** Output of 50 MB. */
  flood: {
    replies: [SUBMIT, { reply: { shell: "head -c 50000000 /dev/zero | tr '\\0' x" } }, DONE],
    options: ONCE,
    ends: ["exited", "failed"],
  },
} satisfies Record<string, Hardship>;

export function prepareFor(data: string): void {
  const { code, stderr } = mlebench(["prepare", "-c", "starter-spam", "--data-dir", data], {}, 240_000);
  if (code !== 0) throw new Error(stderr);
}

/** Runs one agent through one hardship; says what did not go as it should. */
export function survive(id: string, hardship: Hardship, place: { data: string; runs: string }): string[] {
  const script = path.join(place.runs, "script.json");
  fs.writeFileSync(script, JSON.stringify({ replies: hardship.replies, aside: "A title" }));
  const ran = mlebench(
    [
      ...["run", "--agent", id, "-c", "starter-spam", "--data-dir", place.data, "--runs-dir", place.runs],
      ...["--sandbox", "bubblewrap", "--model", `scripted:${script}`, "--name", "group", "--grade"],
      ...hardship.options,
    ],
    {},
    280_000,
  );
  const folder = path.join(place.runs, "group");
  const trial = fs.existsSync(folder)
    ? fs.readdirSync(folder).find((name) => name.startsWith("starter-spam_"))
    : undefined;
  if (trial === undefined) return [`it did not run: ${ran.stderr}`];
  const record = JSON.parse(fs.readFileSync(path.join(folder, trial, "trial.json"), "utf8"));
  const { stopReason, message } = record.outcome;
  const summary = path.join(folder, trial, "logs/coding-agent.json");
  const { continuations, turns } = fs.existsSync(summary)
    ? JSON.parse(fs.readFileSync(summary, "utf8"))
    : { continuations: 0, turns: 0 };
  return [
    ...(ran.stdout.includes("1 valid") ? [] : [`no valid submission: ${ran.stdout.slice(-500)}`]),
    ...(hardship.ends.includes(stopReason) ? [] : [`it ended by ${stopReason}: ${message}`]),
    // Also of a run that was cut in the middle.
    ...(turns > 0 ? [] : ["it says nothing of its turns"]),
    ...(hardship === SURVIVAL.stop && continuations === 0 ? ["it was not continued"] : []),
    ...(mlebench(["verify", folder]).code === 0 ? [] : ["its record does not verify"]),
  ];
}
