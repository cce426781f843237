/**
 * Cases where the format check and the grader may disagree, because the rule needs the answers' values: the check
 * says "well-formed" and only grading finds the submission invalid. Keyed by competition, with the reason.
 */
export const VALIDITY_NEEDS_ANSWERS: Record<string, string> = {
  AI4Code: "only the true order names the cells of a notebook, each of which must be listed once",
  "osic-pulmonary-fibrosis-progression":
    "which weeks are graded, and may not repeat, depends on the measurements",
  "tweet-sentiment-extraction": "a text without words is refused only where the true text has none either",
  "random-acts-of-pizza": "an AUC is undefined when the answers hold one class only",
  "ml2021spring-hw2": "texts score 0 against many classes, but have no score against answers of two classes",
  "3d-object-detection-for-autonomous-vehicles":
    "a box's shape is looked at only if its class is in the scene's truth",
  "siim-covid19-detection":
    "a confidence must be finite only for labels that the answers use, and each needs a negative",
  "freesound-audio-tagging-2019": "a missing or infinite score matters only in rows that have a true label",
  "jigsaw-toxic-comment-classification-challenge": "rows whose answers are negative are not looked at",
};
