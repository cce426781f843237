import type { Problem } from "../../wording/problem.ts";
import type { OfflineModelName } from "../resolve.ts";
import { echoModel } from "./echo.ts";
import type { OfflineModel } from "./offline-model.ts";
import { loadScript } from "./scripted/scripted.ts";
import { parseSimulated, simulatedReply } from "./simulated/model.ts";
import { POLICIES } from "./simulated/policy.ts";

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
    case "simulated":
      return simulated(argument);
    default:
      return {
        code: "NO_SUCH_MODEL",
        message: `There is no ${offline} model "${argument}".`,
        nextStep: "see mlebench models list",
      };
  }
}

/** Without a seed of its own it takes the trial's, so that repetitions differ as they do with a language model. */
function simulated(argument: string): OfflineFactory | Problem {
  const model = parseSimulated(argument);
  if (model === null)
    return {
      code: "NO_SUCH_MODEL",
      message: `There is no simulated model "${argument}".`,
      nextStep: `write one of ${POLICIES.map((policy) => `simulated:${policy}`).join(", ")}, with @<seed> for a seed`,
    };
  return ({ seed }) => ({
    async answer(call) {
      const value = simulatedReply(call, argument.includes("@") ? model : { ...model, seed });
      return { reply: { ok: true, value } };
    },
  });
}
