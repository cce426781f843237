import fs from "node:fs";
import path from "node:path";
import { builtInAgents } from "../agents/definition/built-in.ts";
import { loadAgents } from "../agents/definition/load-definitions.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Problem } from "../wording/problem.ts";
import { shellWord } from "./init/trial.ts";

/** What an agent of one's own can begin with; each is also an example in docs/examples/agents. */
export const AGENT_TEMPLATES = ["command", "python", "node", "coding-cli"] as const;
export type AgentTemplate = (typeof AGENT_TEMPLATES)[number];

export interface CreatedAgent {
  id: string;
  folder: string;
  files: string[];
  /** Ready to be pasted. */
  commands: string[];
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Writes a working agent into a folder that is new or empty; its id is the folder's name. */
export function initAgent(folder: string, template: AgentTemplate): CreatedAgent | Problem {
  const place = path.resolve(folder);
  const id = path.basename(place);
  if (!ID.test(id))
    return problem("BAD_NAME", `"${id}" cannot name an agent: letters, digits, dots, hyphens and _.`);
  if (loadAgents([]).agents.some((agent) => agent.id === id))
    return problem(
      "BAD_NAME",
      `"${id}" comes with mlebench: which of the two runs would depend on a folder.`,
    );
  if (fs.existsSync(place) && (!fs.statSync(place).isDirectory() || fs.readdirSync(place).length > 0))
    return problem("NOT_EMPTY", `${folder} is there already, and is not an empty folder.`, `${id}-2`);
  const source = path.resolve(builtInAgents(), "../../docs/examples/agents", template);
  const files = fs.readdirSync(source).sort();
  makeFolder(place);
  for (const name of files) {
    const text = fs.readFileSync(path.join(source, name), "utf8");
    fs.writeFileSync(path.join(place, name), text.replaceAll(`example-${template}`, id), { flag: "wx" });
  }
  const word = shellWord(folder);
  const model = template === "coding-cli" ? " --model simulated:steady" : "";
  return {
    id,
    folder: place,
    files,
    commands: [
      `mlebench agents check ${id} --agents-dir ${word}`,
      "mlebench prepare -c starter-spam",
      `mlebench run --agent ${id} --agents-dir ${word} -c starter-spam${model} --grade`,
    ],
  };
}

function problem(code: string, message: string, other = "my-agent"): Problem {
  return { code, message, nextStep: `name a new folder: mlebench agents init ${other}` };
}
