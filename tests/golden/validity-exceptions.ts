/**
 * Cases where the format check and the grader may disagree, because the rule needs the answers' values: the check
 * says "well-formed" and only grading finds the submission invalid. Keyed by competition, with the reason.
 */
export const VALIDITY_NEEDS_ANSWERS: Record<string, string> = {
  "random-acts-of-pizza": "an AUC is undefined when the answers hold one class only",
};
