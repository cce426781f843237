import { spawnSync } from "node:child_process";
import type { TreeSettings } from "../settings/schema.ts";

/** What candidates are written in. */
export interface Language {
  name: "python" | "javascript";
  /** For the model: what there is, by name and version. */
  words: string;
  fence: string;
  fileName(code: string): string;
  command(file: string): string[];
}

export function findLanguage(wish: TreeSettings["agent.language"]): Language {
  if (wish !== "js") {
    const tried = spawnSync("python3", ["--version"], { encoding: "utf8", timeout: 20_000 });
    if (tried.status === 0) return python(tried.stdout.trim() || "Python 3");
  }
  return {
    name: "javascript",
    words: `Node.js ${process.version}; there is no Python here, and no npm packages are installed`,
    fence: "javascript",
    fileName: (code) => (/^[ \t]{0,40}(import|export)\s/m.test(code) ? "solution.mjs" : "solution.cjs"),
    command: (file) => [process.execPath, file],
  };
}

function python(version: string): Language {
  return {
    name: "python",
    words: version,
    fence: "python",
    fileName: () => "solution.py",
    command: (file) => ["python3", "-u", file],
  };
}

const WANTED = [
  ...["numpy", "pandas", "scikit-learn", "scipy", "statsmodels", "xgboost", "lightgbm", "catboost", "torch"],
  ...["torchvision", "torchaudio", "timm", "tensorflow", "transformers", "sentence-transformers", "optuna"],
  ...["opencv-python", "pillow", "albumentations", "librosa", "nltk", "spacy", "gensim", "polars"],
];

/** Which of the usual packages the sandbox really has; a model that imports others only makes faults. */
export function installedPackages({ name }: Language): string[] {
  if (name !== "python") return [];
  const script =
    "import importlib.metadata as m\nfor d in m.distributions():\n print(d.metadata['Name'], d.version)";
  const listed = spawnSync("python3", ["-c", script], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 2 ** 24,
  });
  const found = new Map(
    (listed.stdout ?? "").split("\n").map((line) => [line.split(" ")[0].toLowerCase(), line.trim()]),
  );
  return WANTED.flatMap((wanted) => found.get(wanted) ?? []);
}
