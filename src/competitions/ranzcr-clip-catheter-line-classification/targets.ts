/** The classes that v1 asks for and grades. */
export const GRADED = [
  "ETT - Abnormal",
  "ETT - Borderline",
  "ETT - Normal",
  "NGT - Abnormal",
  "NGT - Borderline",
  "NGT - Incompletely Imaged",
  "NGT - Normal",
  "CVC - Abnormal",
  "CVC - Borderline",
];

/** Labels that the original's sample submission leaves out, although the tables have them; v2 asks for them too. */
export const LEFT_OUT = ["CVC - Normal", "Swan Ganz Catheter Present"];
