import fs from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Problem } from "../../wording/problem.ts";
import { ModelsFile, NO_MODELS_FILE } from "./schema.ts";

/** Reads a `models.yaml`; null is an empty one, a file that is named and missing is a mistake. */
export function loadModelsFile(file: string | null): ModelsFile | Problem {
  if (file === null) return NO_MODELS_FILE;
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return isMissing
      ? problem(file, "there is no such file", "say where it is now: --models-file <file>")
      : problem(file, (error as Error).message);
  }
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (error) {
    return problem(file, (error as Error).message.split("\n")[0]);
  }
  const parsed = ModelsFile.safeParse(content);
  return parsed.success ? parsed.data : problem(file, z.prettifyError(parsed.error));
}

function problem(
  file: string,
  cause: string,
  nextStep = "correct it: docs/models.md has an example",
): Problem {
  return { code: "BAD_MODELS_FILE", message: `${file} cannot be used: ${cause}`, nextStep };
}
