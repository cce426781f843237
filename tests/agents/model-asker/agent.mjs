// Asks its model until it may ask no more (or ROUNDS times), makes the replies part of its submission, and looks for the
// provider's key wherever it can.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const { MLEBENCH_MODEL_URL, MLEBENCH_MODEL_TOKEN, MLEBENCH_MODEL, ROUNDS = "3" } = process.env;
const { DATA_DIR, SUBMISSION_DIR, LOGS_DIR } = process.env;

function ask(messages, token = MLEBENCH_MODEL_TOKEN) {
  const body = JSON.stringify({ model: MLEBENCH_MODEL, max_tokens: 100, messages });
  return new Promise((resolve) => {
    const request = http.request(
      `${MLEBENCH_MODEL_URL}/v1/messages`,
      { method: "POST", headers: { "content-type": "application/json", "x-api-key": token } },
      async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
      },
    );
    request.on("error", (error) => resolve({ status: 0, text: error.message }));
    request.end(body);
  });
}

function visibleText() {
  let text = JSON.stringify(process.env);
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    for (const file of ["environ", "cmdline"]) {
      try {
        text += fs.readFileSync(`/proc/${pid}/${file}`, "latin1");
      } catch {}
    }
  for (const folder of ["/home", "/tmp", "/run", "/etc"]) {
    for (const name of list(folder)) {
      try {
        if (fs.statSync(name).size < 1e6) text += fs.readFileSync(name, "latin1");
      } catch {}
    }
  }
  return text;
}

function list(folder) {
  try {
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

const replies = [];
const messages = [];
let last = null;
for (let round = 0; round < Number(ROUNDS); round++) {
  messages.push({
    role: "user",
    content: `Round ${round} at ${new Date().toISOString()}, in ${process.cwd()}`,
  });
  last = await ask(messages);
  if (last.status !== 200) break;
  const { content } = JSON.parse(last.text);
  const text = content[0]?.text ?? "";
  replies.push(text);
  messages.push({ role: "assistant", content: text });
  const [header, first, ...rest] = fs
    .readFileSync(path.join(DATA_DIR, "sample_submission.csv"), "utf8")
    .trim()
    .split("\n");
  const cells = first.split(",");
  const share = Number(`0.${replies.join("").replace(/\D/g, "").slice(-5) || "5"}`);
  // Rows add up to 1 in the competition this is tried on.
  for (let i = 1; i < cells.length; i++)
    cells[i] = String(i === 1 ? share : (1 - share) / (cells.length - 2));
  fs.writeFileSync(
    path.join(SUBMISSION_DIR, "submission.csv"),
    [header, cells.join(","), ...rest, ""].join("\n"),
  );
}
const wrong = await ask([{ role: "user", content: "x" }], "not-the-token");
// The key itself must not be in the agent: it knows only how it begins. It looks only where it is told to.
const seesKey =
  process.env.SEARCH === "yes" && DATA_DIR === "/home/data" && /sk-planted-[a-z]+-key/.test(visibleText());
fs.writeFileSync(
  path.join(LOGS_DIR, "asked.json"),
  JSON.stringify({ replies, last, wrong: wrong.status, seesKey }),
);
console.log(`asked ${replies.length} times, the last status was ${last?.status}`);
