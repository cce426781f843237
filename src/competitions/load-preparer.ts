import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { badCompetition } from "../wording/bad-competition.ts";
import type { LoadedCompetition } from "./catalogue.ts";
import type { Preparer } from "./preparer.ts";
import { PREPARERS } from "./preparers.generated.ts";

/**
 * The preparer of a competition that has been loaded: ours from the package, a user's own from `prepare.mjs` beside its
 * `competition.mjs`. Null when the competition has none.
 */
export async function loadPreparer({ competition, folder }: LoadedCompetition): Promise<Preparer | null> {
  if (Object.hasOwn(PREPARERS, competition.id))
    return preparerOf(await PREPARERS[competition.id](), competition.id);
  const file = new URL("prepare.mjs", folder);
  if (!fs.existsSync(file)) return null;
  let module: unknown;
  try {
    module = await import(file.href);
  } catch (error) {
    throw badCompetition(`${fileURLToPath(file)} cannot be loaded: ${(error as Error).message}`);
  }
  return preparerOf(module, fileURLToPath(file));
}

function preparerOf(module: unknown, where: string): Preparer {
  const { preparer } = module as { preparer?: Preparer };
  if (!preparer) throw badCompetition(`${where} does not export "preparer"`);
  return preparer;
}
