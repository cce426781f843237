/** What stands beside every result of a scripted, simulated or echo model, on every page and in every report. */
export const NOT_A_MODEL = "not a language model's result";
