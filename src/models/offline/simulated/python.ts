import { type SolutionSettings, settingsLine } from "./settings.ts";

/** A solution in Python that needs nothing but the standard library; see `javascript.ts` for what it does. */
export function pythonSolution(settings: SolutionSettings, home: string | null = "/home/data"): string {
  return `# ${settingsLine(settings)}
import json
S = json.loads(${JSON.stringify(JSON.stringify(settings))})
${program(home === null ? "" : `, ${JSON.stringify(home)}`)}`;
}

const program = (home: string) => String.raw`import csv, math, os, random, re, sys, time, zlib
csv.field_size_limit(1 << 30)
def first_folder(*names):
    return next((name for name in names if name and os.path.exists(name)), None)
DATA = first_folder("input", os.environ.get("DATA_DIR")${home})
OUT = os.environ.get("SIMULATED_OUT") or first_folder("submission", os.environ.get("SUBMISSION_DIR"), "/home/submission")
MAX_ROWS = 20000

def read(name):
    with open(os.path.join(DATA, name), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    header = rows[0] if rows else []
    return header, [row for row in rows[1:] if len(row) == len(header)]

files = sorted(name for name in os.listdir(DATA) if name.endswith(".csv"))
tables = {name: read(name) for name in files}
sample_name = next(name for name in files if re.search("sample.*submission", name, re.I))
sample_header, sample_rows = tables[sample_name]
ID, TARGETS = sample_header[0], sample_header[1:]
others = [table for name, table in tables.items() if name != sample_name]
train = next((t for t in others if all(name in t[0] for name in TARGETS)), None)
ids = set(row[0] for row in sample_rows)
test = next((t for t in others if t is not train and ID in t[0] and any(row[t[0].index(ID)] in ids for row in t[1])), None)
if S["fault"] == "timeout":
    print("searching parameters ...", flush=True)
    while True:
        time.sleep(1)

SIZE = 1 << S["hashBits"]
def describe(header, rows, columns):
    described = []
    for name in columns:
        at = header.index(name)
        numbers, numeric = [], True
        for row in rows:
            if row[at] != "":
                try:
                    value = float(row[at])
                    numeric = numeric and math.isfinite(value)
                    numbers.append(value)
                except ValueError:
                    numeric = False
        numeric = numeric and len(numbers) > 0
        mean = sum(numbers) / len(numbers) if numeric else 0.0
        deviation = (math.sqrt(sum((x - mean) ** 2 for x in numbers) / len(numbers)) or 1.0) if numeric else 1.0
        described.append((name, numeric, mean, deviation))
    return described

def features(header, row, columns):
    out = {0: 1.0}
    def add(key, value):
        at = 1 + zlib.crc32(key.encode()) % (SIZE - 1)
        out[at] = out.get(at, 0.0) + value
    for name, numeric, mean, deviation in columns:
        cell = row[header.index(name)]
        if cell == "":
            add(name + "=?", 1.0)
            continue
        if numeric:
            try:
                z = max(-4.0, min(4.0, (float(cell) - mean) / deviation))
            except ValueError:
                z = 0.0
            add(name, z)
            if S["pairs"]:
                add(name + "^2", z * z / 4)
                add(name + "@" + str(math.floor(z * 2)), 1.0)
            continue
        words = re.findall("[a-z0-9$!]+", cell.lower())[:300]
        if len(words) < 4:
            add(name + "=" + cell, 1.0)
            continue
        weight = 1 / math.sqrt(len(words))
        for i, word in enumerate(words):
            add(name + ":" + word, weight)
            if S["pairs"] and i > 0:
                add(name + ":" + words[i - 1] + " " + word, weight)
    return list(out.items())

def logistic(z):
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))

def fit(rows, truth, kind, seed):
    w, squares = [0.0] * SIZE, [1e-6] * SIZE
    order, shuffler = list(range(len(rows))), random.Random(seed)
    for _ in range(S["epochs"]):
        shuffler.shuffle(order)
        for i in order:
            z = sum(w[at] * value for at, value in rows[i])
            error = (z if kind == "number" else logistic(z)) - truth[i]
            for at, value in rows[i]:
                g = error * value + 1e-6 * w[at]
                squares[at] += g * g
                w[at] -= S["rate"] * g / math.sqrt(squares[at])
    def predict(row):
        z = sum(w[at] * value for at, value in row)
        return z if kind == "number" else logistic(z)
    return predict

def bagged(rows, truth, kind):
    models = [fit(rows, truth, kind, S["seed"] + 101 * i) for i in range(S["bags"])]
    return lambda row: sum(model(row) for model in models) / len(models)

def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False

def solve(target):
    if train is None or test is None:
        return None
    header = train[0]
    at = header.index(target)
    kept = [row for row in train[1] if row[at] != ""]
    if len(kept) > MAX_ROWS:
        kept = random.Random(S["seed"] + 7).sample(kept, MAX_ROWS)
    cells = [row[at] for row in kept]
    distinct = sorted(set(cells))
    numeric = all(is_number(cell) for cell in distinct)
    probability = len(distinct) == 2 and numeric and sorted(map(float, distinct)) == [0.0, 1.0]
    kind = "probability" if probability else "number" if numeric and len(distinct) > 20 else "class"
    shared = [name for name in header if name != ID and name not in TARGETS and name in test[0]]
    names = shared + [target] if S["fault"] == "leak" else shared
    columns = describe(header, kept, names)
    rows = [features(header, row, columns) for row in kept]
    positive = kind == "number" and all(float(cell) > 0 for cell in cells)
    to, back = (math.log, math.exp) if positive else (float, float)
    frequency = {}
    for cell in cells:
        frequency[cell] = frequency.get(cell, 0) + 1
    classes = sorted(distinct, key=lambda name: -frequency[name])[:12]
    def learn(keep):
        chosen = [i for i in range(len(rows)) if keep(i)]
        x = [rows[i] for i in chosen]
        if kind == "number":
            y = [to(float(cells[i])) for i in chosen]
            mean = sum(y) / len(y)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in y) / len(y)) or 1.0
            model = bagged(x, [(v - mean) / deviation for v in y], kind)
            return lambda row: back(mean + deviation * (max(-4.0, min(4.0, model(row))) if S["epochs"] else 0.0))
        if kind == "probability":
            y = [float(cells[i]) for i in chosen]
            prior = sum(y) / len(y)
            model = bagged(x, y, kind)
            return lambda row: max(0.001, min(0.999, model(row))) if S["epochs"] else prior
        counts = {}
        for i in chosen:
            counts[cells[i]] = counts.get(cells[i], 0) + 1
        likeliest = max(classes, key=lambda name: counts.get(name, 0))
        if not S["epochs"]:
            return lambda row: likeliest
        models = [fit(x, [1.0 if cells[i] == name else 0.0 for i in chosen], "probability", S["seed"]) for name in classes]
        def predict(row):
            values = [model(row) for model in models]
            return classes[values.index(max(values))]
        return predict
    half = learn((lambda i: True) if S["fault"] == "leak" else (lambda i: i % 5 != 0))
    score, count = 0.0, 0
    for i in range(0, len(rows), 5):
        p, truth = half(rows[i]), cells[i]
        count += 1
        if kind == "number":
            score += (to(p) - to(float(truth))) ** 2
        elif kind == "probability":
            score -= math.log(p) if float(truth) == 1 else math.log(1 - p)
        else:
            score += 1 if p == truth else 0
    value = math.sqrt(score / count) if kind == "number" else score / count
    model = learn(lambda i: True)
    padded = [(name, numeric, mean, deviation) for name, numeric, mean, deviation in columns if name in test[0]]
    name = {"number": "rmse", "probability": "log_loss", "class": "accuracy"}[kind]
    return (lambda row: model(features(test[0], row, padded))), value, name, kind != "class"

if S["fault"] == "exception":
    print("training")
    raise KeyError("fold")
solved = [solve(target) for target in TARGETS]
usable = all(one is not None for one in solved)
row_of = {row[test[0].index(ID)]: row for row in test[1]} if usable else {}
os.makedirs(OUT, exist_ok=True)
header = [ID] + [name + "_prediction" for name in TARGETS] if S["fault"] == "columns" else sample_header
with open(os.path.join(OUT, "submission.csv"), "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    for row in sample_rows:
        found = row_of.get(row[0])
        cells = [one[0](found) for one in solved] if found else row[1:]
        writer.writerow([row[0]] + (["" for _ in cells] if S["fault"] == "nan" else cells))
if not usable:
    print("METRIC none: no table with the target was found; the sample submission was copied")
else:
    value = "nan" if S["fault"] == "nan" else repr(sum(one[1] for one in solved) / len(solved))
    print("METRIC %s = %s (%s is better)" % (solved[0][2], value, "lower" if solved[0][3] else "higher"))
if usable and S.get("without"):
    print("ABLATION %s = %r" % (S["without"], sum(one[1] for one in solved) / len(solved)))
print("wrote submission.csv with %d rows" % len(sample_rows))
# END MLEBENCH_SIMULATED
`;
