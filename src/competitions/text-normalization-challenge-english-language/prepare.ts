import { splitSentences } from "../preparing/split-sentences.ts";

export const preparer = splitSentences("en");
