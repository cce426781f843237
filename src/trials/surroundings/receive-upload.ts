import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import type http from "node:http";
import path from "node:path";
import { multipartBoundary, multipartParser } from "./multipart.ts";

export type Upload =
  | { status: "received"; file: string; sha256: string; bytes: number }
  | { status: "rejected"; code: 400 | 413; message: string };

/** Headers and other fields of the form may come on top of the file. */
const FORM_OVERHEAD_BYTES = 2 ** 20;

/**
 * Stores the part `file` of a form upload under a name of its own, so that calls at the same time cannot mix. Whatever
 * is wrong with the upload is an outcome; a rejected one leaves no file behind.
 */
export async function receiveUpload(
  request: http.IncomingMessage,
  folder: string,
  maxBytes: number,
): Promise<Upload> {
  const boundary = multipartBoundary(request.headers["content-type"]);
  if (boundary === null)
    return rejected(400, "Send the file as multipart/form-data, in a field called `file`.");
  const file = path.join(folder, `${randomUUID()}.csv`);
  const handle = fs.openSync(file, "wx", 0o600);
  const hash = createHash("sha256");
  let part: "ours" | "other" = "other";
  let found = false;
  let bytes = 0;
  let received = 0;
  const parser = multipartParser(boundary, {
    begin(name) {
      // Of several files the first one counts.
      part = name === "file" && !found ? "ours" : "other";
      found ||= part === "ours";
    },
    write(chunk) {
      if (part !== "ours" || bytes + chunk.length > maxBytes) {
        if (part === "ours") bytes = maxBytes + 1;
        return;
      }
      hash.update(chunk);
      fs.writeSync(handle, chunk);
      bytes += chunk.length;
    },
    end() {
      part = "other";
    },
  });
  const finish = (outcome: Upload): Upload => {
    fs.closeSync(handle);
    if (outcome.status === "rejected") fs.rmSync(file, { force: true });
    return outcome;
  };
  try {
    for await (const chunk of request) {
      received += chunk.length;
      if (bytes > maxBytes || received > maxBytes + FORM_OVERHEAD_BYTES) return finish(tooLarge(maxBytes));
      parser.push(chunk);
    }
  } catch (error) {
    const outcome = finish(rejected(400, "The upload was cut short."));
    // A full disk of ours is not the agent's mistake.
    if ((error as NodeJS.ErrnoException).syscall === "write") throw error;
    return outcome;
  }
  const problem = parser.finish();
  if (problem !== null) return finish(rejected(400, `The upload is malformed: ${problem}.`));
  if (!found) return finish(rejected(400, "There is no field called `file` in the upload."));
  if (bytes > maxBytes) return finish(tooLarge(maxBytes));
  return finish({ status: "received", file, sha256: hash.digest("hex"), bytes });
}

function tooLarge(maxBytes: number): Upload {
  return rejected(413, `The file is larger than the ${maxBytes} bytes that an upload may have now.`);
}

function rejected(code: 400 | 413, message: string): Upload {
  return { status: "rejected", code, message };
}
