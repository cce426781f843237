import type { Finding } from "../findings/schema.ts";
import { handLabelled } from "./kinds/hand-labelled.ts";
import { materialNotGiven } from "./kinds/material-not-given.ts";
import { networkAttempt } from "./kinds/network-attempt.ts";
import { noRunWroteIt } from "./kinds/no-run-wrote-it.ts";
import { notLookedAt } from "./kinds/not-looked-at.ts";
import { otherModel } from "./kinds/other-model.ts";
import { privatePath } from "./kinds/private-path.ts";
import { sampleSubmitted } from "./kinds/sample-submitted.ts";
import { trainingLookup } from "./kinds/training-lookup.ts";
import { typedPredictions } from "./kinds/typed-predictions.ts";
import { validationOracle } from "./kinds/validation-oracle.ts";
import type { Rule } from "./rule.ts";
import type { RuleView } from "./trial-view.ts";

/** Every rule that needs no model, by the kind of what it finds. */
const RULES: Readonly<Record<string, Rule>> = {
  "network-attempt": networkAttempt,
  "private-path": privatePath,
  "other-model": otherModel,
  "typed-predictions": typedPredictions,
  "hand-labelled": handLabelled,
  "no-run-wrote-it": noRunWroteIt,
  "sample-submitted": sampleSubmitted,
  "training-lookup": trainingLookup,
  "material-not-given": materialNotGiven,
  "validation-oracle": validationOracle,
  "not-looked-at": notLookedAt,
};

/** What the rules find in one trial. */
export function applyRules(view: RuleView): Finding[] {
  return Object.entries(RULES).flatMap(([kind, rule]) => {
    const found = rule(view);
    return found === null ? [] : [{ trial: view.trial, check: "rules", kind, ...found }];
  });
}
