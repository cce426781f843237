// full: the documented definitions of aider, OpenHands, mini-swe-agent and goose, each with a stand-in for its program
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { hasProgram } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/**
 * The programs themselves cannot be had here. What is ours can be tried: that each is started with its documented switches
 * and variables, that the address, the key and the model's name it is given are good for a call in the way its library makes
 * it, and that what it writes becomes the submission.
 */
const ASK = `
const [base, key, model] = process.argv.slice(2);
const reply = await fetch(base.replace(/\\/+$/, "") + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + key, "content-type": "application/json" },
  body: JSON.stringify({ model: model.replace(/^openai\\//, ""), messages: [{ role: "user", content: "Hello" }] }),
});
console.log("the gateway said", reply.status, await reply.text());
process.exit(reply.status === 200 ? 0 : 1);
`;

/** The value behind a switch. */
const SWITCHES = `
switch() { want="$1"; shift; while [ $# -gt 1 ]; do [ "$1" = "$want" ] && { printf %s "$2"; return; }; shift; done; echo "no $want" >&2; exit 9; }
`;
const SUBMIT = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

const PROGRAMS: Record<string, string> = {
  aider: `node "$STAND_INS/ask.mjs" "$(switch --openai-api-base "$@")" "$(switch --openai-api-key "$@")" "$(switch --model "$@")" || exit 1
switch --message "$@" | grep -q "solve.py, which reads" || exit 8
cat > solve.py <<'END'
import os, shutil
shutil.copy(os.environ["DATA_DIR"] + "/sample_submission.csv", os.environ["SUBMISSION_DIR"] + "/submission.csv")
END`,
  mini: `node "$STAND_INS/ask.mjs" "$OPENAI_API_BASE" "$OPENAI_API_KEY" "$(switch --model "$@")" || exit 1
switch --task "$@" | grep -q submission || exit 8
touch "$(switch --output "$@")"
${SUBMIT}`,
  goose: `[ "$1" = run ] || exit 7
node "$STAND_INS/ask.mjs" "$OPENAI_HOST/\${OPENAI_BASE_PATH%/chat/completions}" "$OPENAI_API_KEY" "$GOOSE_MODEL" || exit 1
grep -q submission "$(switch -i "$@")" || exit 8
${SUBMIT}`,
  openhands: `for wanted in --headless --json --override-with-envs; do echo " $* " | grep -q -- " $wanted " || exit 7; done
node "$STAND_INS/ask.mjs" "$LLM_BASE_URL" "$LLM_API_KEY" "$LLM_MODEL" || exit 1
grep -q submission "$(switch -f "$@")" || exit 8
${SUBMIT}`,
};

const root = temporaryFolder();
const data = path.join(root, "data");
const standIns = path.join(root, "stand-ins");

beforeAll(() => {
  expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
  writeText(standIns, "ask.mjs", ASK);
  for (const [name, script] of Object.entries(PROGRAMS))
    fs.chmodSync(writeText(standIns, name, `#!/bin/bash\n${SWITCHES}${script}\n`), 0o755);
}, 120_000);

test
  .runIf(hasProgram("python3", "the documented definition of aider"))
  .each(["aider", "openhands", "mini-swe-agent", "goose"])(
  "%s finds its task, its model and the place of its submission",
  (id) => {
    const agents = path.join(root, id);
    fs.cpSync(path.join("docs/examples/agents", id), agents, { recursive: true });
    const file = path.join(agents, "config.yaml");
    const entry = (parse(fs.readFileSync(file, "utf8")) as Record<string, { env_vars?: object }>)[id];
    const env_vars = {
      ...entry.env_vars,
      STAND_INS: standIns,
      PATH: `${standIns}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
    };
    // Without its image: the program is the stand-in.
    fs.writeFileSync(file, stringify({ [id]: { ...entry, image: undefined, env_vars } }));
    const ran = mlebench(
      [
        ...["run", "--agent", id, "--agents-dir", agents, "-c", "starter-spam", "--data-dir", data],
        ...["--runs-dir", path.join(root, "runs"), "--name", id, "--sandbox", "process"],
        ...["--model", "echo", "--time-limit", "60s", "--grade"],
      ],
      {},
      120_000,
    );
    expect(ran.stdout + ran.stderr).toContain("1 valid");
    const group = path.join(root, "runs", id);
    const trial = fs.readdirSync(group).find((name) => name.startsWith("starter-spam_"))!;
    const { lines } = readLedger(path.join(group, trial, "model/ledger.jsonl"));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ outcome }) => outcome === "answered")).toBe(true);
  },
  150_000,
);
