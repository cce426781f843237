import { initialContext } from "./initial-context.ts";
import type { RepositoryMap } from "./repository-map.ts";

const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** A map as JSON, for programs: modules in order of importance, with everything that was left out. */
export function mapRecord(map: RepositoryMap, tokens: number) {
  const context = initialContext(map, tokens);
  const path = (index: number) => map.modules[index].path;
  const nameOf = (module: number, definition: number) =>
    definition === -1
      ? path(module)
      : `${path(module)}:${map.modules[module].outline.definitions[definition].qualified}`;
  return {
    schema: "mlebench/repository-map",
    version: 1,
    name: map.name,
    commit: map.commit,
    licence: map.licence,
    files: map.files.length,
    readme: map.readme?.path ?? null,
    requirements: map.requirements,
    entryPoints: map.entryPoints,
    modules: map.ranking.map((index) => {
      const { outline, name } = map.modules[index];
      const { total, history, ...parts } = map.importance[index];
      return {
        path: path(index),
        name,
        language: outline.language,
        lines: outline.lines,
        doc: outline.doc,
        importance: {
          total: round(total),
          ...Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, round(value)])),
          history: history === null ? null : round(history),
        },
        imports: map.graph.imports[index].map(path),
        outside: map.graph.outside[index],
        definitions: outline.definitions.map(({ kind, qualified, line, endLine, signature, doc }) => ({
          kind,
          name: qualified,
          line,
          endLine,
          signature,
          doc,
        })),
        damaged: outline.damaged,
      };
    }),
    calls: map.calls.map(({ fromModule, from, toModule, to, line }) => ({
      from: nameOf(fromModule, from),
      to: nameOf(toModule, to),
      line,
    })),
    context: { tokens: context.tokens, budget: tokens, text: context.text },
    leftOut: [...map.leftOut, ...map.skipped],
  };
}
export type MapRecord = ReturnType<typeof mapRecord>;
