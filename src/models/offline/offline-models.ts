import type { Problem } from "../../wording/problem.ts";
import type { OfflineModelName } from "../resolve.ts";
import { echoModel } from "./echo.ts";
import type { OfflineModel } from "./offline-model.ts";
import { loadScript } from "./scripted/scripted.ts";

/** Makes the model of one trial and role. */
export type OfflineFactory = (trial: { seed: number; lane: string }) => OfflineModel;

/** Reads what a model that needs no network consists of; recordings are read elsewhere. */
export async function openOffline({
  offline,
  argument,
}: OfflineModelName): Promise<OfflineFactory | Problem> {
  switch (offline) {
    case "echo":
      return echoModel;
    case "scripted":
      return loadScript(argument);
    default:
      return {
        code: "NO_SUCH_MODEL",
        message: `There is no ${offline} model "${argument}".`,
        nextStep: "see mlebench models list",
      };
  }
}
