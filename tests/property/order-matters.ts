/**
 * Competitions whose score depends on the order of the submission's rows, and why the specification has it so. All
 * others align by id. (vesuvius-challenge-ink-detection compares by position too, but its submission has one row.)
 */
export const ORDER_MATTERS: Record<string, string> = {
  "hms-harmful-brain-activity-classification":
    "ids repeat; rows of one id are paired by their place among them (Q28)",
  "nomad2018-predict-transparent-conductors": "row k is compared with row k and no id is looked at (N1)",
  "smartphone-decimeter-2022": "rows of one trip are paired by their place among them, not by time (H1)",
  "stanford-covid-vaccine": "the rows to score are chosen by their place in the file, not by id (W1)",
  "uw-madison-gi-tract-image-segmentation": "row k is compared with row k and no id is looked at (M1)",
};
