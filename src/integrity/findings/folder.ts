import path from "node:path";

/**
 * Every place below a run group's `integrity` folder. The group's certificate does not cover it: looking at a group again
 * must not break its seal.
 */
export function integrityPaths(group: string) {
  const place = (name: string) => path.join(group, "integrity", name);
  return {
    folder: path.join(group, "integrity"),
    findings: place("findings.json"),
    decisions: place("decisions.jsonl"),
    page: place("integrity.html"),
    plagiarism: place("plagiarism"),
    rules: place("rules"),
  };
}
