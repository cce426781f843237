export {
  type FamiliarityOutcome,
  type FamiliarityRequest,
  measureFamiliarity,
} from "../workflows/integrity/familiarity.ts";
export {
  checkIntegrity,
  type IntegrityOutcome,
  type IntegrityRequest,
} from "../workflows/integrity/integrity.ts";
export {
  findPlagiarism,
  type PlagiarismOutcome,
  type PlagiarismRequest,
} from "../workflows/integrity/plagiarism.ts";
export { checkRules, type RulesOutcome, type RulesRequest } from "../workflows/integrity/rules.ts";
