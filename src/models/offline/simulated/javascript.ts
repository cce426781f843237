import { type SolutionSettings, settingsLine } from "./settings.ts";

/**
 * A solution in plain JavaScript, for sandboxes without Python: hashed features, a linear or logistic model by
 * stochastic gradient descent, a hold-out of every fifth row. It does what `python.ts` does, with other random numbers.
 * `home` is where it looks for data that are neither in ./input nor in DATA_DIR; null where nobody wants that folder named.
 */
export function javascriptSolution(settings: SolutionSettings, home: string | null = "/home/data"): string {
  return `// ${settingsLine(settings)}
const S = ${JSON.stringify(settings)};
${program(home === null ? "" : `, ${JSON.stringify(home)}`)}`;
}

const program = (home: string) => String.raw`const fs = require("fs"), path = require("path");
const firstFolder = (...names) => names.filter(Boolean).find((name) => fs.existsSync(name));
const DATA = firstFolder("input", process.env.DATA_DIR${home});
const OUT = process.env.SIMULATED_OUT || firstFolder("submission", process.env.SUBMISSION_DIR, "/home/submission");
const MAX_ROWS = 20000;

function parse(text) {
  const rows = []; let row = [], cell = "", quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) { if (c === '"') { if (text[i + 1] === '"') { cell += c; i++; } else quoted = false; } else cell += c; }
    else if (c === '"') quoted = true;
    else if (c === ",") { row.push(cell); cell = ""; }
    else if (c === "\n") { row.push(cell); rows.push(row); row = []; cell = ""; }
    else if (c !== "\r") cell += c;
  }
  if (cell !== "" || row.length > 0) { row.push(cell); rows.push(row); }
  const header = rows.shift() || [];
  return { header, rows: rows.filter((r) => r.length === header.length) };
}
const files = fs.readdirSync(DATA).filter((name) => name.endsWith(".csv")).sort();
const tables = new Map(files.map((name) => [name, parse(fs.readFileSync(path.join(DATA, name), "utf8"))]));
const sampleName = files.find((name) => /sample.*submission/i.test(name));
const sample = tables.get(sampleName);
const [ID, ...TARGETS] = sample.header;
const others = [...tables].filter(([name]) => name !== sampleName);
const train = others.map(([, table]) => table).find((table) => TARGETS.every((name) => table.header.includes(name)));
const ids = new Set(sample.rows.map((row) => row[0]));
const test = others.map(([, t]) => t).find((t) => t !== train && t.header.includes(ID) && t.rows.some((row) => ids.has(row[t.header.indexOf(ID)])));
if (S.fault === "timeout") { console.log("searching parameters ..."); for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); }

function random(seed) { let s = seed >>> 0; return () => { s = (s + 0x6d2b79f5) >>> 0; let t = Math.imul(s ^ (s >>> 15), s | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; }
function hash(text) { let h = 2166136261; for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619); return h >>> 0; }
const SIZE = 1 << S.hashBits;
function describe(table, columns) {
  return columns.map((name) => {
    const at = table.header.indexOf(name);
    const values = table.rows.map((row) => row[at]);
    const numbers = values.filter((v) => v !== "").map(Number);
    const numeric = numbers.length > 0 && numbers.every(Number.isFinite);
    const mean = numeric ? numbers.reduce((a, b) => a + b, 0) / numbers.length : 0;
    const deviation = numeric ? Math.sqrt(numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / numbers.length) || 1 : 1;
    return { name, numeric, mean, deviation };
  });
}
function features(table, row, columns) {
  const out = new Map([[0, 1]]);
  const add = (key, value) => { const at = 1 + (hash(key) % (SIZE - 1)); out.set(at, (out.get(at) || 0) + value); };
  for (const { name, numeric, mean, deviation } of columns) {
    const cell = row[table.header.indexOf(name)];
    if (cell === undefined || cell === "") { add(name + "=?", 1); continue; }
    if (numeric) { const z = Math.max(-4, Math.min(4, (Number(cell) - mean) / deviation)); add(name, z); if (S.pairs) { add(name + "^2", z * z / 4); add(name + "@" + Math.floor(z * 2), 1); } continue; }
    const words = cell.toLowerCase().split(/[^a-z0-9$!]+/).filter(Boolean).slice(0, 300);
    if (words.length < 4) { add(name + "=" + cell, 1); continue; }
    const weight = 1 / Math.sqrt(words.length);
    words.forEach((word, i) => { add(name + ":" + word, weight); if (S.pairs && i > 0) add(name + ":" + words[i - 1] + " " + word, weight); });
  }
  return [...out];
}
function fit(rows, truth, kind, seed) {
  const w = new Float64Array(SIZE), squares = new Float64Array(SIZE).fill(1e-6), next = random(seed);
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < S.epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) { const j = Math.floor(next() * (i + 1)); [order[i], order[j]] = [order[j], order[i]]; }
    for (const i of order) {
      let z = 0; for (const [at, value] of rows[i]) z += w[at] * value;
      const p = kind === "number" ? z : 1 / (1 + Math.exp(-z)), error = p - truth[i];
      for (const [at, value] of rows[i]) { const g = error * value + 1e-6 * w[at]; squares[at] += g * g; w[at] -= S.rate * g / Math.sqrt(squares[at]); }
    }
  }
  return (row) => { let z = 0; for (const [at, value] of row) z += w[at] * value; return kind === "number" ? z : 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, z)))); };
}
function bagged(rows, truth, kind) {
  const models = Array.from({ length: S.bags }, (_, i) => fit(rows, truth, kind, S.seed + 101 * i));
  return (row) => models.reduce((sum, model) => sum + model(row), 0) / models.length;
}
function solve(target) {
  if (!train || !test) return { predict: null };
  const at = train.header.indexOf(target), all = train.rows.filter((row) => row[at] !== "");
  const next = random(S.seed + 7), kept = all.length > MAX_ROWS ? all.filter(() => next() < MAX_ROWS / all.length) : all;
  const cells = kept.map((row) => row[at]), distinct = [...new Set(cells)].sort();
  const numeric = cells.every((cell) => Number.isFinite(Number(cell)));
  const probability = distinct.length === 2 && numeric && distinct.map(Number).includes(0) && distinct.map(Number).includes(1);
  const kind = probability ? "probability" : numeric && distinct.length > 20 ? "number" : "class";
  const shared = train.header.filter((name) => name !== ID && !TARGETS.includes(name) && test.header.includes(name));
  const names = S.fault === "leak" ? [...shared, target] : shared;
  const columns = describe({ header: train.header, rows: kept }, names);
  const rows = kept.map((row) => features(train, row, columns));
  const inHoldout = (i) => i % 5 === 0;
  const scale = kind === "number" && cells.every((cell) => Number(cell) > 0) ? { to: Math.log, from: Math.exp } : { to: Number, from: Number };
  const frequency = new Map(); for (const cell of cells) frequency.set(cell, (frequency.get(cell) || 0) + 1);
  const classes = [...distinct].sort((a, b) => frequency.get(b) - frequency.get(a)).slice(0, 12);
  function learn(keep) {
    const chosen = rows.map((_, i) => i).filter(keep), x = chosen.map((i) => rows[i]);
    if (kind === "number") {
      const y = chosen.map((i) => scale.to(Number(cells[i]))), mean = y.reduce((a, b) => a + b, 0) / y.length;
      const deviation = Math.sqrt(y.reduce((a, b) => a + (b - mean) ** 2, 0) / y.length) || 1;
      const model = bagged(x, y.map((value) => (value - mean) / deviation), kind);
      return (row) => scale.from(mean + deviation * (S.epochs ? Math.max(-4, Math.min(4, model(row))) : 0));
    }
    if (kind === "probability") {
      const y = chosen.map((i) => Number(cells[i])), prior = y.reduce((a, b) => a + b, 0) / y.length;
      const model = bagged(x, y, kind);
      return (row) => (S.epochs ? Math.max(0.001, Math.min(0.999, model(row))) : prior);
    }
    const counts = classes.map((name) => chosen.filter((i) => cells[i] === name).length), likeliest = classes[counts.indexOf(Math.max(...counts))];
    if (!S.epochs) return () => likeliest;
    const models = classes.map((name) => fit(x, chosen.map((i) => (cells[i] === name ? 1 : 0)), "probability", S.seed));
    return (row) => { let best = 0, value = -1; models.forEach((model, i) => { const p = model(row); if (p > value) { value = p; best = i; } }); return classes[best]; };
  }
  const half = learn(S.fault === "leak" ? () => true : (i) => !inHoldout(i));
  let score = 0, count = 0;
  rows.forEach((row, i) => {
    if (!inHoldout(i)) return;
    const p = half(row), truth = cells[i];
    count++;
    if (kind === "number") score += (scale.to(p) - scale.to(Number(truth))) ** 2;
    else if (kind === "probability") score -= Number(truth) === 1 ? Math.log(p) : Math.log(1 - p);
    else score += p === truth ? 1 : 0;
  });
  const value = kind === "number" ? Math.sqrt(score / count) : score / count;
  const model = learn(() => true);
  return { predict: (row) => model(features(test, row, columns)), value, name: { number: "rmse", probability: "log_loss", class: "accuracy" }[kind], lower: kind !== "class" };
}
if (S.fault === "exception") { console.log("training"); throw new TypeError("Cannot read properties of undefined (reading 'fold')"); }
const solved = TARGETS.map(solve), usable = solved.every((one) => one.predict);
const rowOf = usable ? new Map(test.rows.map((row) => [row[test.header.indexOf(ID)], row])) : new Map();
const quote = (cell) => (/[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);
const lines = sample.rows.map((row) => {
  const found = rowOf.get(row[0]);
  const cells = found ? solved.map((one) => String(one.predict(found))) : row.slice(1);
  return [row[0], ...(S.fault === "nan" ? cells.map(() => "") : cells)].map(quote).join(",");
});
const header = S.fault === "columns" ? [ID, ...TARGETS.map((name) => name + "_prediction")] : sample.header;
if (!fs.existsSync(OUT)) fs.mkdirSync(OUT);
fs.writeFileSync(path.join(OUT, "submission.csv"), [header.map(quote).join(","), ...lines].join("\n") + "\n");
if (!usable) console.log("METRIC none: no table with the target was found; the sample submission was copied");
else console.log("METRIC " + solved[0].name + " = " + (S.fault === "nan" ? "nan" : solved.reduce((sum, one) => sum + one.value, 0) / solved.length) + " (" + (solved[0].lower ? "lower" : "higher") + " is better)");
if (usable && S.without) console.log("ABLATION " + S.without + " = " + solved.reduce((sum, one) => sum + one.value, 0) / solved.length);
console.log("wrote submission.csv with " + lines.length + " rows");
// END MLEBENCH_SIMULATED
`;
