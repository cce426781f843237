import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wordPattern, wordsOf } from "../../../src/data/disguise/text.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { shellAgent } from "../trials/setting.ts";
import { COMPETITION, writeData } from "./rules/data.ts";

/** Keeps what it was shown, and submits the sample. */
const SCRIPT = `
cp "$DATA_DIR/description.md" "$LOGS_DIR/description.md"
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
`;

const root = temporaryFolder();
const data = writeData(path.join(root, "data"));
const agents = shellAgent(path.join(root, "agents"), SCRIPT);
const texts = path.join(data, COMPETITION, "disguised/texts");

function run(name: string, obfuscate: string) {
  const places = ["--data-dir", data, "--runs-dir", path.join(root, "runs"), "--agents-dir", agents];
  const how = ["--agent", "scripted", "-c", COMPETITION, "--sandbox", "process", "--time-limit", "30s"];
  return mlebench(["run", ...how, ...places, "--name", name, "--obfuscate", obfuscate]);
}

function shown(name: string): string {
  const group = path.join(root, "runs", name);
  const trial = fs.readdirSync(group).find((one) => one.startsWith("task_"))!;
  return fs.readFileSync(path.join(group, trial, "logs/description.md"), "utf8");
}

/** Everything in backticks and code blocks, as the rules leave it; the rest is the model's own. */
const NAMES =
  "`train.csv` `test.csv` `sample_submission.csv` `column_001` `HomePlanet` `CryoSleep` `Cabin` `Destination` `column_003` `VIP` `RoomService` `FoodCourt` `ShoppingMall` `Spa` `VRDeck` `Name` `column_005`";
const ANSWER = [
  "# Who is gone?",
  "On a vessel among the stars, known to Kagglers as the Spaceship Titanic, people disappear. Say who.",
  `Names: ${NAMES}`,
  "```csv\ncolumn_001,column_005\n0043_01,True\n0006_01,False\n0038_02,True\n```",
].join("\n\n");

test("a model writes the description once: asked again for lost names, its slips taken out, its calls kept, never paid twice", () => {
  const script = writeText(
    root,
    "writer.yaml",
    JSON.stringify({
      replies: [
        { expect: { contains: "nobody recognises" }, reply: { text: "# A ship\n\nGuess who `train.csv`." } },
        { expect: { contains: "left these out: " }, reply: { text: ANSWER } },
      ],
    }),
  );
  const first = run("first", `scripted:${script}`);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout + first.stderr).toMatch(/named .*Titanic.* taken out again/s);
  const text = shown("first");
  expect(text).toContain("On a vessel among the stars");
  for (const word of wordsOf(COMPETITION, "Spaceship Titanic")) expect(text).not.toMatch(wordPattern(word));
  const [folder] = fs.readdirSync(texts);
  const record = JSON.parse(fs.readFileSync(path.join(texts, folder, "text.json"), "utf8"));
  expect(record).toMatchObject({
    schema: "mlebench/rewritten-description",
    version: 1,
    model: `scripted:${script}`,
    languageModel: false,
    text,
  });
  expect(record.broughtBack).toContain("Titanic");
  const ledger = path.join(texts, folder, "model/ledger.jsonl");
  expect(readLedger(ledger).lines).toHaveLength(2);

  const second = run("second", `scripted:${script}`);
  expect(second.code, second.stderr).toBe(0);
  expect(second.stdout + second.stderr).toContain("0 written now, 1 kept from before");
  expect(readLedger(ledger).lines).toHaveLength(2);
  expect(shown("second")).toBe(text);

  // A changed text is not the one that the group was planned with.
  fs.rmSync(
    path.join(
      root,
      "runs/second",
      fs.readdirSync(path.join(root, "runs/second")).find((one) => one.startsWith("task_"))!,
    ),
    { recursive: true },
  );
  fs.writeFileSync(path.join(texts, folder, "text.json"), JSON.stringify({ ...record, text: "# Kaggle" }));
  const resumed = mlebench(["resume", "second", "--runs-dir", path.join(root, "runs")]);
  expect(resumed.code).not.toBe(0);
  expect(resumed.stderr).toMatch(/TEXT_LOST.*gone or was changed/s);
});

test("a model that loses what is needed, or does not answer, stops the run before it begins", () => {
  const lossy = writeText(
    root,
    "lossy.yaml",
    JSON.stringify({ replies: [1, 2, 3].map(() => ({ reply: { text: "# Guess" } })) }),
  );
  const lost = run("lost", `scripted:${lossy}`);
  expect(lost.code).toBe(3);
  expect(lost.stderr).toMatch(/NOT_REWRITTEN.*after 3 answers these names were still missing: .*train\.csv/s);
  expect(fs.existsSync(path.join(root, "runs/lost"))).toBe(false);
  const refusing = writeText(
    root,
    "no.yaml",
    JSON.stringify({ replies: [{ reply: { error: { status: 400, message: "not today" } } }] }),
  );
  expect(run("no", `scripted:${refusing}`).stderr).toMatch(/NOT_REWRITTEN.*not today/s);
  expect(run("unknown", "nobody:home").code).toBe(2);
});
