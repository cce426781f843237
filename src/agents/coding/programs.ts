/** A coding agent that people use, by the package that brings it. Its licence is its maker's: it is installed by the user. */
export interface CodingProgram {
  package: string;
  /** What was tried with this harness; another one can be asked for as `<id>@<version>`. */
  version: string;
  /** The program below `node_modules`, first one that exists; `node` marks a script. */
  entries: readonly { path: string; node: boolean }[];
}

const native = (...paths: string[]) => paths.map((path) => ({ path, node: false }));
const script = (path: string) => [{ path, node: true }];

export const CODING_PROGRAMS = {
  "claude-code": {
    package: "@anthropic-ai/claude-code",
    version: "2.1.197",
    entries: native(
      `@anthropic-ai/claude-code-linux-${process.arch}/claude`,
      `@anthropic-ai/claude-code-darwin-${process.arch}/claude`,
    ),
  },
  codex: { package: "@openai/codex", version: "0.169.0", entries: script("@openai/codex/bin/codex.js") },
  "gemini-cli": {
    package: "@google/gemini-cli",
    version: "0.61.0",
    entries: script("@google/gemini-cli/bundle/gemini.js"),
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    entries: native(
      `opencode-linux-${process.arch}/bin/opencode`,
      `opencode-darwin-${process.arch}/bin/opencode`,
    ),
  },
  pi: {
    package: "@earendil-works/pi-coding-agent",
    version: "0.74.2",
    entries: script("@earendil-works/pi-coding-agent/dist/cli.js"),
  },
} as const satisfies Record<string, CodingProgram>;

export type CodingProgramId = keyof typeof CODING_PROGRAMS;
export const CODING_PROGRAM_IDS = Object.keys(CODING_PROGRAMS) as CodingProgramId[];

/** Where an installed program lies inside every sandbox, read-only. */
export const PROGRAM_INSIDE = "/run/mlebench/program";
