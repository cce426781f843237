import path from "node:path";
import { type SourceFile, sourceFiles } from "../plagiarism/source-files.ts";

/** Where the public notebooks of a competition lie, once somebody has got them. */
export function kernelsFolder(dataDir: string, competitionId: string): string {
  return path.join(dataDir, competitionId, "kernels");
}

/**
 * The kernels of a competition: in the data folder, or in a folder of the user's that has one folder for each competition,
 * as the original lays them out (`<id>/kernels/*.py`) or without the inner folder.
 */
export function kernelFiles(
  competitionId: string,
  { dataDir, kernels }: { dataDir: string; kernels?: string | undefined },
): SourceFile[] {
  const places =
    kernels === undefined
      ? [kernelsFolder(dataDir, competitionId), path.join(dataDir, competitionId, "notebooks")]
      : [path.join(kernels, competitionId, "kernels"), path.join(kernels, competitionId)];
  for (const place of places) {
    const { files } = sourceFiles(place);
    if (files.length > 0)
      return files.map(({ name, path: file }) => ({ name: `kernels/${name}`, path: file }));
  }
  return [];
}
