import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Preparation, PreparationStep } from "../../../../src/competitions/preparer.ts";

/** A preparation in a throwaway folder, with the raw files given. */
export function workshop(raw: Record<string, string | Uint8Array> = {}, signal?: AbortSignal) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "preparing-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const folders = {
    raw: path.join(root, "raw"),
    public: path.join(root, "out/public"),
    private: path.join(root, "out/private"),
    scratch: path.join(root, "out/scratch"),
  };
  for (const folder of Object.values(folders)) fs.mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(raw)) {
    fs.mkdirSync(path.dirname(path.join(folders.raw, name)), { recursive: true });
    fs.writeFileSync(path.join(folders.raw, name), content);
  }
  const steps: PreparationStep[] = [];
  const preparation: Preparation = {
    ...folders,
    settings: {},
    warn: () => {},
    progress: (step) => steps.push(step),
    signal: signal ?? new AbortController().signal,
  };
  return { preparation, root, out: path.join(root, "out"), steps };
}

export function read(...parts: string[]): string {
  return fs.readFileSync(path.join(...parts), "utf8");
}
