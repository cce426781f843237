import path from "node:path";
import { plural } from "../../wording/counts.ts";
import { isTest, type RepositoryMap } from "../map/repository-map.ts";
import { skeleton } from "../map/skeleton.ts";
import { cutToTokens } from "../map/tokens.ts";
import { notebookSource } from "../parse/notebook.ts";
import { moduleSearch } from "../rank/search.ts";
import { type Found, findDefinitions, nameOf } from "./find-definition.ts";

/** One way to look at a repository. Its answer is text of at most `tokens`, whatever is asked. */
export interface RepositoryTool {
  name: string;
  description: string;
  argument: string;
  tokens: number;
}

export const REPOSITORY_TOOLS: readonly RepositoryTool[] = [
  {
    name: "repo_structure",
    description: "Lists folders and source files below a folder.",
    argument: 'a folder, "." for all',
    tokens: 2000,
  },
  {
    name: "repo_search",
    description: "Finds modules, classes and functions by words of their names and documentation.",
    argument: "words",
    tokens: 2000,
  },
  {
    name: "repo_grep",
    description: "Finds lines that contain a string, whatever its case.",
    argument: "the text",
    tokens: 2000,
  },
  {
    name: "repo_view",
    description: "Shows a class or function.",
    argument: "name, Class.name or path:name",
    tokens: 2500,
  },
  {
    name: "repo_references",
    description: "Who calls a class or function, and whom it calls.",
    argument: "name, Class.name or path:name",
    tokens: 1500,
  },
  {
    name: "repo_dependencies",
    description: "What a module imports, and who imports it.",
    argument: "path of the module",
    tokens: 1500,
  },
  {
    name: "repo_file",
    description: "Shows a file; a long source file by its signatures.",
    argument: "path, or path:first-last for lines",
    tokens: 5000,
  },
];

/** `found`: it is what was asked for, and not the sentence that there is none. */
export interface ToolAnswer {
  text: string;
  found: boolean;
}

export type RepositoryToolbox = (tool: string, argument: string) => ToolAnswer;

const nothing = (text: string): ToolAnswer => ({ text, found: false });
const answer = (text: string): ToolAnswer => ({ text, found: true });

/** The tools over one map. Answers never exceed their budget, and never come from outside of the repository. */
export function repositoryTools(map: RepositoryMap): RepositoryToolbox {
  let search: ReturnType<typeof moduleSearch> | null = null;
  const answers: Record<string, (argument: string) => ToolAnswer> = {
    repo_structure: (folder) => structure(map, folder),
    repo_search: (query) => {
      search ??= moduleSearch(map);
      return searched(map, search(query, 10));
    },
    repo_grep: (text) => grep(map, text),
    repo_view: (query) => view(map, query),
    repo_references: (query) => references(map, query),
    repo_dependencies: (file) => dependencies(map, file),
    repo_file: (file) => viewFile(map, file),
  };
  return (name, argument) => {
    const tool = REPOSITORY_TOOLS.find((one) => one.name === name);
    if (!tool) return nothing(`There is no tool ${name.slice(0, 60)}.`);
    const { text, found } = answers[name](argument.trim());
    return { text: cutToTokens(text, tool.tokens, "ask for less"), found };
  };
}

function structure(map: RepositoryMap, folder: string): ToolAnswer {
  const below = folder === "" || folder === "." ? "" : `${folder.replace(/\/+$/, "")}/`;
  const files = map.files.filter((file) => file.path.startsWith(below));
  if (files.length === 0) return nothing(`There is no folder ${folder}.`);
  const folders = new Map<string, number>();
  const here: string[] = [];
  for (const { path: file } of files) {
    const rest = file.slice(below.length).split("/");
    if (rest.length === 1) here.push(file);
    else {
      const name = `${below}${rest[0]}/`;
      folders.set(name, (folders.get(name) ?? 0) + 1);
    }
  }
  const lines = new Map(map.modules.map(({ path: file, outline }) => [file, outline.lines]));
  const listed = [
    ...[...folders].map(([name, count]) => `${name} (${count} ${count === 1 ? "file" : "files"})`),
    ...here.map((file) => (lines.has(file) ? `${file} (${plural(lines.get(file)!, "line")})` : file)),
  ];
  return answer(listed.join("\n"));
}

function searched(map: RepositoryMap, hits: ReturnType<ReturnType<typeof moduleSearch>>): ToolAnswer {
  if (hits.length === 0) return nothing("Nothing found; try other words.");
  const listed = hits
    .map(({ module, definitions }) => {
      const { path: file, outline } = map.modules[module];
      const found = definitions.map((at) => {
        const { signature, doc, line } = outline.definitions[at];
        return `\n  ${signature} [${line}]${doc ? `  # ${doc}` : ""}`;
      });
      return `${file}${outline.doc ? ` - ${outline.doc}` : ""}${found.join("")}`;
    })
    .join("\n");
  return answer(listed);
}

const MAX_LINES_PER_FILE = 8;

function grep(map: RepositoryMap, wanted: string): ToolAnswer {
  const text = wanted.toLowerCase();
  if (text === "") return nothing("Give a string to look for.");
  const found: string[] = [];
  for (const { path: file } of map.files) {
    const content = /\.(py|r|js|mjs|md|txt|rst|toml|cfg|ya?ml|json)$/i.test(file) ? map.read(file) : null;
    if (content === null || !content.toLowerCase().includes(text)) continue;
    const lines = content
      .split("\n")
      .flatMap((line, at) =>
        line.toLowerCase().includes(text) ? [`${file}:${at + 1}: ${line.trim().slice(0, 160)}`] : [],
      );
    found.push(...lines.slice(0, MAX_LINES_PER_FILE));
    if (lines.length > MAX_LINES_PER_FILE) found.push(`${file}: ${lines.length - MAX_LINES_PER_FILE} more`);
    if (found.length > 200) break;
  }
  return found.length === 0 ? nothing("Nothing found.") : answer(found.join("\n"));
}

/** The only definition of a name, or the sentence to answer with instead. */
function theOne(map: RepositoryMap, query: string): Found | ToolAnswer {
  const found = findDefinitions(map, query);
  const real = found.filter(({ module }) => !isTest(map.modules[module].path));
  const list = real.length > 0 ? real : found;
  if (list.length === 0)
    return nothing(`There is no class or function ${query.slice(0, 100)}; repo_search finds names by words.`);
  if (list.length === 1) return list[0];
  const names = list.slice(0, 30).map((one) => nameOf(map, one));
  return answer(`${list.length} have this name:\n${names.join("\n")}`);
}

function view(map: RepositoryMap, query: string): ToolAnswer {
  const one = theOne(map, query);
  if ("text" in one) return one;
  const { path: file } = map.modules[one.module];
  const { line, endLine } = map.modules[one.module].outline.definitions[one.definition];
  return answer(`${file}:${line}-${endLine}\n${numbered(sourceOf(map, file) ?? "", line, endLine)}`);
}

function references(map: RepositoryMap, query: string): ToolAnswer {
  const one = theOne(map, query);
  if ("text" in one) return one;
  const callers = map.calls.filter((edge) => edge.toModule === one.module && edge.to === one.definition);
  const callees = map.calls.filter((edge) => edge.fromModule === one.module && edge.from === one.definition);
  const from = callers.map(
    (edge) => `- ${nameOf(map, { module: edge.fromModule, definition: edge.from })} [${edge.line}]`,
  );
  const to = new Set(
    callees.map((edge) => `- ${nameOf(map, { module: edge.toModule, definition: edge.to })}`),
  );
  return answer(
    [`Called ${from.length} times:`, ...from.slice(0, 60), `Calls ${to.size}:`, ...to].join("\n"),
  );
}

function dependencies(map: RepositoryMap, file: string): ToolAnswer {
  const index = map.modules.findIndex((module) => module.path === file || module.name === file);
  if (index === -1) return nothing(`There is no source file ${file.slice(0, 100)}.`);
  const paths = (list: readonly number[]) => list.map((at) => `- ${map.modules[at].path}`);
  const { imports, importedBy, outside } = map.graph;
  const listed = [
    `Imports ${imports[index].length} of this repository:`,
    ...paths(imports[index]),
    `From outside: ${outside[index].join(", ") || "nothing"}`,
    `Imported by ${importedBy[index].length}:`,
    ...paths(importedBy[index]),
  ];
  return answer(listed.join("\n"));
}

function viewFile(map: RepositoryMap, query: string): ToolAnswer {
  const [, name, first, last] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(query) ?? [];
  const file = path.posix.normalize(name ?? "");
  if (!map.files.some((one) => one.path === file)) return nothing(`There is no file ${file.slice(0, 200)}.`);
  const text = sourceOf(map, file);
  if (text === null) return nothing(`${file} is not a text file of less than 2 MB.`);
  if (first !== undefined) return answer(numbered(text, Number(first), Number(last ?? Number(first) + 80)));
  const module = map.modules.find((one) => one.path === file);
  if (module && text.length > 16_000)
    return answer(
      `${skeleton(module, { docs: true, methods: true, private: true })}\n[${file} is long: ask for lines, or repo_view a name]`,
    );
  return answer(text);
}

/** A notebook by its code, so that its lines are those of the map. */
function sourceOf(map: RepositoryMap, file: string): string | null {
  const text = map.read(file);
  if (text === null || !file.endsWith(".ipynb")) return text;
  const notebook = notebookSource(text);
  return notebook.status === "read" ? notebook.text : text;
}

function numbered(text: string, first: number, last: number): string {
  const lines = text.split("\n").slice(Math.max(first, 1) - 1, last);
  return lines.map((line, at) => `${Math.max(first, 1) + at}\t${line.slice(0, 400)}`).join("\n");
}
