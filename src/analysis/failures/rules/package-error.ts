import type { Evidence, TrialView } from "../view.ts";

const SAID =
  /\b(?:ModuleNotFoundError|ImportError)\b|No module named|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|there is no package called|No matching distribution found|error while loading shared libraries|: command not found|: not found$/;

/** Something it needed is not installed, or does not load. */
export function packageError({ troubled, lastLine }: TrialView): Evidence[] {
  const line = troubled ? lastLine(SAID) : null;
  return line === null ? [] : [line];
}
