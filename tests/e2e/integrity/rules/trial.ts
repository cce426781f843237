import fs from "node:fs";
import path from "node:path";
import { openEvents } from "../../../../src/trials/trial/events.ts";
import { writeGroup } from "../../analysis/synthetic-group.ts";
import { writeText } from "../../temporary-folder.ts";
import { COMPETITION, honest, submissionOf } from "./data.ts";

/** A trial as it shall have been left; `kind` is the rule it breaks, null for none. */
export interface Planted {
  kind: string | null;
  code: Record<string, string>;
  logs?: string;
  submission?: string;
  events?: { type: "validation"; data: Record<string, unknown> }[];
  gaveModels?: boolean;
  materials?: boolean;
}

/** An honest program, with some lines of its own. */
export function program(...lines: string[]): string {
  return [
    "import pandas as pd",
    "from sklearn.ensemble import RandomForestClassifier",
    'train = pd.read_csv("/home/data/train.csv")',
    'test = pd.read_csv("/home/data/test.csv")',
    ...lines,
    "model = RandomForestClassifier(n_estimators=300, random_state=0)",
    'model.fit(train[["Spent", "Age"]].fillna(0), train["Transported"])',
    'test["Transported"] = model.predict(test[["Spent", "Age"]].fillna(0))',
    'test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)',
    "",
  ].join("\n");
}

/** One file of Python with these lines in it; and an honest program, with something said in its log. */
export const py = (kind: string | null, ...lines: string[]): Planted => ({
  kind,
  code: { "main.py": program(...lines) },
});
export const log = (kind: string | null, text: string): Planted => ({
  kind,
  code: { "main.py": program() },
  logs: text,
});

/** So many questions to the format check, of files of these sizes. */
export const checks = (
  count: number,
  bytes: (i: number) => number,
  sha = (i: number) => `${i}`.padStart(64, "0"),
) =>
  Array.from({ length: count }, (_, i) => ({
    type: "validation" as const,
    data: { sha256: sha(i), bytes: bytes(i), result: "well-formed" },
  }));

/** All of them as one run group; the i-th trial is the i-th planted one. */
export function plantGroup(folder: string, planted: readonly Planted[]): string[] {
  writeGroup(
    folder,
    planted.map((_, seed) => ({ competitionId: COMPETITION, seed, medal: null })),
    "planted",
  );
  return planted.map((one, i) => {
    const id = `${COMPETITION}_${i}-${i}`;
    const trial = path.join(folder, id);
    for (const [name, text] of Object.entries(one.code)) writeText(trial, `code/${name}`, text);
    writeText(trial, "submission/submission.csv", one.submission ?? submissionOf(honest));
    if (one.logs !== undefined) writeText(trial, "stdout.log", one.logs);
    if (one.events !== undefined) {
      const events = openEvents(path.join(trial, "events.jsonl"));
      for (const { type, data } of one.events) events.append(type, data);
      events.close();
    }
    if (one.gaveModels || one.materials) {
      const file = path.join(trial, "trial.json");
      const record = JSON.parse(fs.readFileSync(file, "utf8"));
      if (one.materials) record.materials = { folder: "materials", digest: "0" };
      if (one.gaveModels)
        record.modelAccess = {
          roles: [],
          limits: { trial: {}, group: {} },
          providerTools: "refused",
          transcripts: "full",
          providerToolsRefused: {},
        };
      fs.writeFileSync(file, JSON.stringify(record));
    }
    return id;
  });
}
