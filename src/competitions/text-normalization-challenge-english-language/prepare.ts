import { splitSentences } from "../preparing/splits/split-sentences.ts";

export const preparer = splitSentences("en");
