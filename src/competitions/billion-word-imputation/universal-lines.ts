import fs from "node:fs";
import { readLines } from "../preparing/texts/text-lines.ts";

const CARRIAGE_RETURN = 13;
const LINE_FEED = Buffer.from("\n");

export interface UniversalLine {
  /** With its line feed, if the line had an end. Only valid until the next line. */
  readonly bytes: Buffer;
  /** Where the reading stands in the file. */
  readonly offset: number;
}

/**
 * The lines of a file as Python's text mode has them: CRLF and a lone CR end a line like a line feed and become one; nothing else does. The
 * last line stays without an end if it has none.
 */
export function* readUniversalLines(file: string): Generator<UniversalLine> {
  const { size } = fs.statSync(file);
  let offset = 0;
  for (const line of readLines(file)) {
    offset += line.length + 1;
    const fed = offset <= size;
    if (!line.includes(CARRIAGE_RETURN)) {
      yield { bytes: fed ? ended(line) : line, offset };
      continue;
    }
    const rest = fed && line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    let start = 0;
    for (let end = rest.indexOf(CARRIAGE_RETURN); end !== -1; end = rest.indexOf(CARRIAGE_RETURN, start)) {
      yield { bytes: ended(rest.subarray(start, end)), offset };
      start = end + 1;
    }
    if (fed) yield { bytes: ended(rest.subarray(start)), offset };
    else if (start < rest.length) yield { bytes: rest.subarray(start), offset };
  }
}

function ended(line: Buffer): Buffer {
  return Buffer.concat([line, LINE_FEED]);
}
