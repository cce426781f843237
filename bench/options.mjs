// What every suite that compares with Python can be told.
import { parseArgs } from "node:util";

const OPTIONS = {
  json: { type: "boolean", default: false },
  quick: { type: "boolean", default: false },
  "no-python": { type: "boolean", default: false },
  only: { type: "string", default: "" },
};

/** `more`: options that only this suite has. */
export function readOptions(argv, more = {}) {
  return parseArgs({ args: argv, options: { ...OPTIONS, ...more } }).values;
}
