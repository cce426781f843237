import { fileURLToPath } from "node:url";
import { ENTRIES } from "../../competitions/catalogue.generated.ts";
import { competitionFolder } from "../../competitions/catalogue.ts";
import { type SourceFile, sourceFiles } from "../plagiarism/source-files.ts";

/** Solutions that everybody may know: those that come with the starter suite, and those in a folder of the user's. */
export function solutionFiles(id: string, folder?: string): SourceFile[] {
  const places = [
    ...(complexityOf(id) === "starter" ? [fileURLToPath(new URL("solutions", competitionFolder(id)))] : []),
    ...(folder === undefined ? [] : [`${folder}/${id}`]),
  ];
  return places
    .flatMap((place) => sourceFiles(place).files)
    .map(({ name, path }) => ({ name: `solutions/${name}`, path }));
}

/** Whether public notebooks of it can be had: the starter competitions and the user's own are nowhere but here. */
export function isOnKaggle(id: string): boolean {
  return !["starter", undefined].includes(complexityOf(id));
}

function complexityOf(id: string) {
  return ENTRIES.find((entry) => entry.id === id)?.complexity;
}
