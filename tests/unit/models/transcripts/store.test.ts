import fs from "node:fs";
import { expect, test } from "vitest";
import { readTranscripts } from "../../../../src/models/transcripts/read.ts";
import { openTranscripts, transcriptPaths } from "../../../../src/models/transcripts/store.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

test("the list of a long run's bodies is read to its last line, which says that it is full", () => {
  const folder = temporaryFolder();
  const { index } = transcriptPaths(folder);
  // A hole in place of the many calls before: the file takes no disk.
  fs.writeFileSync(index, "{}\n");
  fs.truncateSync(index, 2 ** 28 - 2 ** 20 - 1500);
  fs.appendFileSync(index, "\n");
  const transcripts = openTranscripts(folder, "full");
  for (let call = 1; call <= 10; call++)
    transcripts.keep(call, "chat", Buffer.from(`asked ${call}`), Buffer.from("x"));
  transcripts.close();
  const calls = [...readTranscripts(folder)];
  expect(calls[0]).toMatchObject({ call: 1, request: Buffer.from("asked 1"), note: null });
  expect(calls.length).toBeLessThan(10);
  expect(calls.at(-1)?.note).toMatch(/bodies are not kept/);
});
