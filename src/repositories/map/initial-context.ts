import { isTest, type RepositoryMap } from "./repository-map.ts";
import { skeleton } from "./skeleton.ts";
import { cutToTokens, estimateTokens, page } from "./tokens.ts";

export interface InitialContext {
  text: string;
  tokens: number;
  /** Modules shown with their signatures, and those only named. */
  shown: string[];
  named: string[];
}

const README_SHARE = 0.35;
const MAX_NAMED = 20;
/** The root is where a repository says what it is for. */
const ROOT_BOOST = 5;

/**
 * What a reader needs first of a repository, within a budget that is never exceeded: what it is, how it is started, its
 * README, then the signatures of modules in order of importance, each as detailed as the rest of the budget allows.
 */
export function initialContext(map: RepositoryMap, tokens: number): InitialContext {
  const sheet = page(tokens);
  const facts = factsOf(map);
  if (!sheet.add(facts)) sheet.add(cutToTokens(facts, sheet.left() - 2));
  if (map.readme) {
    const budget = Math.floor(tokens * README_SHARE);
    sheet.add(
      `# ${map.readme.path}\n${cutToTokens(map.readme.text.trim(), Math.min(budget, sheet.left() - 20))}`,
    );
  }
  sheet.add("# Modules, the most important first (numbers in brackets are lines)");
  const shown: string[] = [];
  const order = contextOrder(map);
  const rest: number[] = [];
  // A tenth is kept for the names of the others.
  const reserve = Math.floor(tokens * 0.1);
  for (const index of order) {
    const module = map.modules[index];
    const forms = [
      { docs: true, methods: true, private: false },
      { docs: false, methods: true, private: false },
      { docs: false, methods: false, private: false },
    ].map((form) => skeleton(module, form));
    // No single module may take more than a third of what is left.
    const room = Math.max(sheet.left() - reserve, 0);
    const fits = forms.find((text) => estimateTokens(text) + 1 <= Math.max(room / 3, Math.min(room, 200)));
    if (fits !== undefined && sheet.add(fits)) shown.push(module.path);
    else rest.push(index);
  }
  const named: string[] = [];
  if (rest.length > 0) sheet.add(`# ${rest.length} further modules, among them`);
  for (const index of rest.slice(0, MAX_NAMED)) {
    if (!sheet.add(`- ${map.modules[index].path}`)) break;
    named.push(map.modules[index].path);
  }
  const text = sheet.text();
  return { text, tokens: estimateTokens(text), shown, named };
}

function contextOrder(map: RepositoryMap): number[] {
  const weight = (index: number) => {
    const { path } = map.modules[index];
    return map.importance[index].total * (path.includes("/") ? 1 : ROOT_BOOST) * (isTest(path) ? 0.1 : 1);
  };
  // The ranking is already in a fixed order among equals, and sorting keeps it.
  return [...map.ranking].sort((a, b) => weight(b) - weight(a));
}

function factsOf(map: RepositoryMap): string {
  const languages = new Map<string, number>();
  for (const { outline } of map.modules)
    languages.set(outline.language, (languages.get(outline.language) ?? 0) + outline.lines);
  const lines = [
    `# Repository ${map.name}${map.commit ? ` at ${map.commit.slice(0, 12)}` : ""}`,
    `${map.files.length} files; ${[...languages].map(([name, count]) => `${count} lines of ${name}`).join(", ") || "no source we parse"}`,
    `Licence: ${map.licence.name}`,
  ];
  const needs = [...new Set(map.requirements.list.map(({ name }) => name))];
  if (needs.length > 0) lines.push(`Needs: ${needs.slice(0, 30).join(", ")}`);
  if (map.requirements.damaged.length > 0)
    lines.push(
      `Requirements that cannot be read: ${map.requirements.damaged
        .map(({ line }) => line)
        .slice(0, 3)
        .join(" | ")}`,
    );
  for (const { path, options } of map.entryPoints.slice(0, 10))
    lines.push(
      `Start: ${path}${options
        .map(({ name }) => ` ${name}`)
        .slice(0, 12)
        .join("")}`,
    );
  return lines.join("\n");
}
