import fs from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "sources");

export interface Pair {
  name: string;
  left: { name: string; text: string };
  right: { name: string; text: string };
}

const source = (name: string) => ({ name, text: fs.readFileSync(path.join(FOLDER, name), "utf8") });
const PYTHON = ["boosting.py", "network.py", "words.py"];
const OTHERS = ["forest.r", "neighbours.js"];

/** Words of the language and of libraries stay; every name the author chose becomes another. */
function renamed(text: string): string {
  const names = [
    ...new Set(
      text.match(
        /\b(?:[a-z]+_[a-z_]+|frame|train|test|fold|model|label|word|net|loader|total|row|names|points|point)\b/g,
      ),
    ),
  ];
  return names.reduce((all, name, i) => all.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `x${i}`), text);
}

/** Top-level blocks in the opposite order. */
function reordered(text: string): string {
  return text
    .split(/\n\n\n?(?=\S)/)
    .reverse()
    .join("\n\n\n");
}

const DEAD: Record<string, string> = {
  ".py":
    "\n\ndef never_called(a, b):\n    total = 0\n    for i in range(a):\n        if i % 2 == 0 and b[i] is not None:\n            total += b[i] * 3 - a\n        else:\n            total -= 1\n    return [x for x in b if x > total]\n",
  ".r": "\nnever_called <- function(a, b) {\n  total <- 0\n  for (i in seq_len(a)) {\n    if (i %% 2 == 0) total <- total + b[[i]] * 3 else total <- total - 1\n  }\n  Filter(function(x) x > total, b)\n}\n",
  ".js":
    "\nfunction neverCalled(a, b) {\n  let total = 0;\n  for (let i = 0; i < a; i++) {\n    if (i % 2 === 0 && b[i]) total += b[i] * 3 - a;\n    else total -= 1;\n  }\n  return b.filter((x) => x > total);\n}\n",
};

function withDeadCode(name: string, text: string): string {
  const blocks = text.split(/\n\n(?=\S)/);
  blocks.splice(Math.floor(blocks.length / 2), 0, DEAD[path.extname(name)]);
  return blocks.join("\n\n");
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(#|\/\/).*\n/gm, "").replace(/\n{2,}/g, "\n");
}

function asNotebook(text: string): string {
  const cells = text.split(/\n\n\n?(?=\S)/).map((code) => ({
    cell_type: "code",
    metadata: {},
    outputs: [],
    source: code.split(/(?<=\n)/),
  }));
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: "python" } },
    cells: [{ cell_type: "markdown", source: ["# Title"] }, ...cells],
  });
}

/** Copies, renamed variables, reordered functions, inserted dead code, halves, mixtures, notebooks and unrelated code. */
export function pairs(): Pair[] {
  const made: Pair[] = [];
  const add = (name: string, left: Pair["left"], text: string, as = left.name) =>
    made.push({ name: `${left.name}: ${name}`, left, right: { name: `other-${as}`, text } });
  for (const one of [...PYTHON, ...OTHERS].map(source)) {
    add("copy", one, one.text);
    add("comments and blank lines removed", one, withoutComments(one.text));
    add("renamed", one, renamed(one.text));
    add("reordered", one, reordered(one.text));
    add("dead code", one, withDeadCode(one.name, one.text));
    add("first half", one, one.text.slice(0, one.text.indexOf("\n\n", one.text.length / 2)));
    add("renamed, reordered, dead code", one, renamed(reordered(withDeadCode(one.name, one.text))));
  }
  for (const one of PYTHON.map(source)) {
    add("notebook", one, asNotebook(one.text), "copy.ipynb");
    add("renamed notebook", one, asNotebook(renamed(one.text)), "copy.ipynb");
  }
  const [a, b, c] = PYTHON.map(source);
  add("unrelated network", a, b.text);
  add("unrelated words", a, c.text);
  add("unrelated words", b, c.text);
  add("half of each", a, a.text.slice(0, a.text.length / 2) + c.text.slice(c.text.length / 2));
  add("nothing", a, "");
  add("one line", a, "print(1)\n");
  return made;
}
