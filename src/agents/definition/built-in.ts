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
