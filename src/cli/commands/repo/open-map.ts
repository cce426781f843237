import type { RepositoryMap } from "../../../repositories/map/repository-map.ts";
import { openRepository } from "../../../workflows/open-repository.ts";
import type { ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { printError } from "../../print.ts";
import { progressLine } from "../../progress.ts";

/** Maps a folder with a line of progress; a problem is printed and gives its exit code. */
export async function openMap(folder: string): Promise<RepositoryMap | ExitCode> {
  let line: ReturnType<typeof progressLine> | null = null;
  const outcome = await openRepository(folder, {
    signal: interruption(),
    progress(done, all) {
      line ??= progressLine(all);
      line.show(done, "files read");
    },
  });
  (line as ReturnType<typeof progressLine> | null)?.end();
  if (outcome.status === "mapped") return outcome.map;
  if (outcome.status === "interrupted") return 130;
  const { code, message, nextStep } = outcome.problem;
  printError(code, message, nextStep);
  return code === "NO_SOURCE" ? 3 : 2;
}
