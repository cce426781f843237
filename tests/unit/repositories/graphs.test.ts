import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mapRepository, type RepositoryMap } from "../../../src/repositories/map/repository-map.ts";

/** The fixture repository, whose graphs were written down by hand from its sources. */
let map: RepositoryMap;
beforeAll(async () => {
  map = await mapRepository(path.resolve("tests/fixtures/repositories/tiny"));
});

const named = (module: number, definition: number) =>
  definition === -1
    ? map.modules[module].path
    : `${map.modules[module].path}:${map.modules[module].outline.definitions[definition].qualified}`;

describe("the graphs of a repository with known ones", () => {
  it("modules have the names Python gives them: src/ is left out, a script is itself", () => {
    const names = map.modules
      .filter(({ path: file }) => file.endsWith(".py"))
      .map((module) => [module.path, module.name]);
    expect(Object.fromEntries(names)).toEqual({
      "decoys/model.py": "model",
      "scripts/helper.py": "helper",
      "scripts/train.py": "train",
      "setup.py": "setup",
      "src/forest/__init__.py": "forest",
      "src/forest/base.py": "forest.base",
      "src/forest/metrics.py": "forest.metrics",
      "src/forest/model.py": "forest.model",
      "src/forest/trees/__init__.py": "forest.trees",
      "src/forest/trees/grow.py": "forest.trees.grow",
      "src/forest/trees/split.py": "forest.trees.split",
    });
  });

  it("imports: relative ones, names through __init__, star imports, siblings of a script, R and JavaScript", () => {
    const imports = map.modules.map((module, index) => [
      module.path,
      map.graph.imports[index].map((at) => map.modules[at].path),
    ]);
    expect(Object.fromEntries(imports)).toEqual({
      "R/helpers.R": [],
      "R/main.R": ["R/helpers.R"],
      "decoys/model.py": [],
      "notebooks/explore.ipynb": ["src/forest/__init__.py", "src/forest/model.py"],
      "scripts/helper.py": [],
      "scripts/train.py": [
        "scripts/helper.py",
        "src/forest/__init__.py",
        "src/forest/metrics.py",
        "src/forest/model.py",
        "src/forest/trees/grow.py",
      ],
      "setup.py": [],
      "src/forest/__init__.py": [
        "src/forest/model.py",
        "src/forest/trees/__init__.py",
        "src/forest/trees/grow.py",
      ],
      "src/forest/base.py": [],
      "src/forest/metrics.py": [],
      "src/forest/model.py": [
        "src/forest/base.py",
        "src/forest/metrics.py",
        "src/forest/trees/__init__.py",
        "src/forest/trees/grow.py",
        "src/forest/trees/split.py",
      ],
      "src/forest/trees/__init__.py": ["src/forest/trees/grow.py"],
      "src/forest/trees/grow.py": ["src/forest/trees/split.py"],
      "src/forest/trees/split.py": [],
      "web/draw.js": ["web/load.js"],
      "web/load.js": [],
    });
  });

  it("calls: every one that can be followed, and none through a variable or to a decoy of the same name", () => {
    const calls = map.calls.map(
      (edge) => `${named(edge.fromModule, edge.from)} -> ${named(edge.toModule, edge.to)}`,
    );
    expect(calls.sort()).toEqual([
      "notebooks/explore.ipynb -> notebooks/explore.ipynb:explore",
      "notebooks/explore.ipynb:explore -> src/forest/model.py:Forest",
      "scripts/train.py -> scripts/train.py:main",
      "scripts/train.py:main -> scripts/helper.py:save",
      "scripts/train.py:main -> src/forest/metrics.py:accuracy",
      "scripts/train.py:main -> src/forest/model.py:Forest",
      "scripts/train.py:main -> src/forest/trees/grow.py:grow",
      "src/forest/model.py:Forest.default -> src/forest/model.py:Forest",
      "src/forest/model.py:Forest.fit -> src/forest/base.py:Learner.check",
      "src/forest/model.py:Forest.fit -> src/forest/base.py:Learner.fit",
      "src/forest/model.py:Forest.fit -> src/forest/model.py:Forest.count",
      "src/forest/model.py:Forest.fit -> src/forest/trees/grow.py:grow",
      "src/forest/model.py:Forest.score -> src/forest/base.py:Learner.predict",
      "src/forest/model.py:Forest.score -> src/forest/metrics.py:accuracy",
      "src/forest/model.py:make -> src/forest/model.py:Forest.default",
      "src/forest/model.py:make -> src/forest/trees/split.py:best_split",
      "src/forest/trees/grow.py:grow -> src/forest/trees/grow.py:grow.inner",
      "src/forest/trees/grow.py:grow -> src/forest/trees/split.py:best_split",
      "src/forest/trees/grow.py:grow.inner -> src/forest/trees/grow.py:grow",
      "web/draw.js:View.show -> web/draw.js:draw",
      "web/draw.js:draw -> web/draw.js:render",
    ]);
  });

  it("the ranking is this one", () => {
    expect(map.ranking.slice(0, 4).map((index) => map.modules[index].path)).toEqual([
      "src/forest/trees/grow.py",
      "src/forest/model.py",
      "src/forest/trees/split.py",
      "src/forest/__init__.py",
    ]);
    // Four modules need it, two calls come from other modules: half of 4/5 and half of 2/20.
    const grow = map.modules.findIndex(({ path: file }) => file.endsWith("grow.py"));
    expect(map.importance[grow].usage).toBeCloseTo(0.45, 10);
    expect(map.importance[grow].history).toBeNull();
    expect(map.importance.every(({ total }) => total >= 0 && total <= 10)).toBe(true);
  });

  it("entry points come with their options, requirements with what cannot be read, and the licence", () => {
    expect(map.entryPoints).toEqual([
      { path: "R/main.R", options: [] },
      {
        path: "scripts/train.py",
        options: [
          { name: "--train", help: "the training table" },
          { name: "--test", help: "the test table" },
        ],
      },
    ]);
    expect(map.requirements).toEqual({
      list: [
        { name: "numpy", versions: ">=1.20,<2", file: "requirements.txt" },
        { name: "pandas", versions: "", file: "requirements.txt" },
        { name: "scikit-learn", versions: "==1.2.*", file: "requirements.txt" },
      ],
      damaged: [{ file: "requirements.txt", line: "this is not a requirement !!" }],
    });
    expect(map.licence).toEqual({ name: "MIT", reuse: "allowed", file: "LICENSE" });
    expect(map.readme?.path).toBe("README.md");
  });
});
