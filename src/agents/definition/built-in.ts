import path from "node:path";
import { fileURLToPath } from "node:url";

declare const __AGENTS_FOLDER__: string | undefined;

/** The agents that come with the package. They are bundled: run from source, those of the last build are used. */
export function builtInAgents(): string {
  const folder = typeof __AGENTS_FOLDER__ === "undefined" ? "../../../dist/agents/" : __AGENTS_FOLDER__;
  return fileURLToPath(new URL(folder, import.meta.url));
}

/** Whether a definition's file comes with the package. */
export function isBuiltIn(file: string): boolean {
  return file.startsWith(builtInAgents());
}

/** Agents of ours that run nothing which a model, a repository or anybody else wrote. */
const OWN_CODE_ONLY = ["sample", "dummy", "baseline"];

/** Whether an agent may run without isolation where nothing isolates, although nobody has asked for that. */
export function runsOwnCodeOnly(file: string): boolean {
  return isBuiltIn(file) && OWN_CODE_ONLY.includes(path.basename(path.dirname(file)));
}
