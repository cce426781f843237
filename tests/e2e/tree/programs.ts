/** An honest program that is wrong by so much everywhere, and what else it does. */
export const honest = (offset: number, more = "") => `const fs = require("fs"), path = require("path");
const [head, ...ids] = fs.readFileSync("input/sample_submission.csv", "utf8").trim().split("\\n");
const [, ...rows] = fs.readFileSync("input/test.csv", "utf8").trim().split("\\n");
const guess = ([, a, b, c, kind]) => 10 + 2 * a + b * b + (kind === "x" ? 1.5 : 0) + 0.1 * c + ${offset};
const cells = new Map(rows.map((row) => row.split(",")).map((row) => [row[0], guess(row)]));
const write = (file = "submission/submission.csv", value = (id) => cells.get(id)) =>
  fs.writeFileSync(file, [head, ...ids.map((line) => line.split(",")[0]).map((id) => id + "," + value(id))].join("\\n") + "\\n");
write();
${more}
console.log("METRIC rmse = ${offset} (lower is better)");
`;

export const block = (code: string) => `I will do it.\n\n\`\`\`javascript\n${code}\`\`\`\n`;
const LOGS = `path.resolve("../../../logs")`;
export const GOOD = "good";

/** What a program does, the reply that holds it, and the kind of fault that it is. */
export const MISBEHAVING: [string, string, string?][] = [
  ["a good one", block(honest(0.5)), GOOD],
  ["tildes", `A plan.\n~~~js\n${honest(0.6)}~~~\n`, GOOD],
  [
    "a long fence with a short one inside",
    `Plan\n\`\`\`\`js\n/*\n\`\`\`\nexample\n\`\`\`\n*/\n${honest(0.6)}\`\`\`\`\n`,
    GOOD,
  ],
  ["carriage returns", block(honest(0.6)).replaceAll("\n", "\r\n"), GOOD],
  [
    "an indented block",
    block(honest(0.6))
      .split("\n")
      .map((line) => `   ${line}`)
      .join("\n"),
    GOOD,
  ],
  ["a block that never ends", `Plan\n\`\`\`js\n${honest(0.6)}`, GOOD],
  ["two blocks", `First\n\`\`\`bash\nnpm i lodash\n\`\`\`\nthen\n${block(honest(0.6))}`, GOOD],
  [
    "ten blocks",
    `Plan\n${Array.from({ length: 9 }, (_, at) => `\`\`\`js\nconst part = ${at};\n\`\`\`\n`).join("and\n")}${block(honest(0.6))}`,
    GOOD,
  ],
  ["a million line ends", block(honest(0.6, `console.log("\\n".repeat(1e6));`)), GOOD],
  [
    "an enormous output",
    block(honest(0.6, `for (let i = 0; i < 64; i++) fs.writeSync(1, "x".repeat(2 ** 20));`)),
    GOOD,
  ],
  ["it prints without end", block(honest(0.6, `for (;;) fs.writeSync(1, "x".repeat(2 ** 20));`)), "output"],
  ["it ends its parent", block(honest(0.6, `process.kill(process.ppid, "SIGKILL");`)), "exception"],
  [
    "its folder is gone",
    block(honest(0.6, `fs.rmSync(process.cwd(), { recursive: true, force: true });`)),
    "no submission",
  ],
  [
    "its submission is a folder",
    block(honest(0.6, `fs.rmSync("submission/submission.csv"); fs.mkdirSync("submission/submission.csv");`)),
    "no submission",
  ],
  [
    "its submission is a link",
    block(
      honest(
        0.6,
        `fs.rmSync("submission/submission.csv"); fs.symlinkSync("/dev/zero", "submission/submission.csv");`,
      ),
    ),
    "no submission",
  ],
  [
    "its submission is of a size that nothing can hold",
    block(honest(0.6, `fs.truncateSync("submission/submission.csv", 2 ** 42);`)),
    "no submission",
  ],
  ["not numbers", block(honest(0.6, `write(undefined, () => "nan");`)), "invalid submission"],
  ["infinite numbers", block(honest(0.6, `write(undefined, () => "inf");`)), "invalid submission"],
  [
    "binary",
    block(honest(0.6, `fs.writeFileSync("submission/submission.csv", require("crypto").randomBytes(1e5));`)),
    "invalid submission",
  ],
  ["empty", block(honest(0.6, `fs.writeFileSync("submission/submission.csv", "");`)), "invalid submission"],
  ["an id is missing", block(honest(0.6, `ids.pop(); write();`)), "invalid submission"],
  [
    "a claim",
    block(honest(3, `console.log("METRIC rmse = 0");`)).replace("METRIC rmse = 3", "METRIC rmse = 0.0"),
    "leak",
  ],
  [
    "it leaves somebody behind",
    block(
      honest(
        0.6,
        `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => require('fs').writeFileSync(process.env.AT + '/left.txt', 'x'), 100)"], { detached: true, stdio: "ignore", env: { AT: path.resolve("../../../submission") } }); child.unref();`,
      ),
    ),
    GOOD,
  ],
  [
    "it writes into the folders of others",
    block(
      honest(
        0.6,
        `for (const name of fs.readdirSync(${LOGS} + "/attempts")) for (const file of ["predictions.csv", "submission.csv"]) write(${LOGS} + "/attempts/" + name + "/" + file, () => 99);
write("../../../submission/submission.csv", () => 99);`,
      ),
    ),
    GOOD,
  ],
  [
    "it spoils the data it was given",
    block(
      honest(
        0.6,
        `for (const name of ["train.csv", "test.csv", "sample_submission.csv"]) { const at = "input/" + name; const { atime, mtime } = fs.statSync(at); fs.writeFileSync(at, "spoilt\\n"); fs.utimesSync(at, atime, mtime); }
fs.symlinkSync("/dev/null", "input/more.csv");`,
      ),
    ),
    GOOD,
  ],
  [
    "it removes the data it was given",
    block(honest(0.6, `fs.rmSync(fs.realpathSync("input"), { recursive: true });`)),
    GOOD,
  ],
  [
    "it spoils the journal",
    block(honest(0.6, `fs.appendFileSync(${LOGS} + "/journal.jsonl", "garbage\\n{");`)),
    GOOD,
  ],
  [
    "it rewrites the journal and sets the time back",
    block(
      honest(
        0.6,
        `require("child_process").execSync("cp -p journal.jsonl old; tr 0-9 7 < old > new; cat new > journal.jsonl; touch -r old journal.jsonl; rm old new", { cwd: ${LOGS} });`,
      ),
    ),
    GOOD,
  ],
  [
    "it takes the place of the next attempt",
    block(
      honest(
        0.6,
        `for (let i = 0; i < 60; i++) { const at = ${LOGS} + "/attempts/" + String(i).padStart(4, "0"); if (!fs.existsSync(at)) fs.writeFileSync(at, "mine"); }`,
      ),
    ),
    GOOD,
  ],
  [
    "it removes everything",
    block(
      honest(
        0.6,
        `for (const at of [${LOGS}, "../../../submission", "../../../code", path.resolve("../..")]) fs.rmSync(at, { recursive: true, force: true });`,
      ),
    ),
    "no submission",
  ],
  ["a good one at last", block(honest(0.4)), GOOD],
];
