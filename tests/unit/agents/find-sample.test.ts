import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { readContract } from "../../../src/agents/kit/contract.ts";
import { findSamples } from "../../../src/agents/sample/find-sample.ts";
import { submitSample } from "../../../src/agents/sample/submit-sample.ts";
import { writeSevenZip } from "../../../src/archive/seven-zip.ts";
import { writeZip } from "../../../src/archive/zip-writer.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function dataWith(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeText(folder, name, `from ${name}\n`);
  return folder;
}

/** A harness that finds exactly those files valid that hold the given words. */
async function harness(valid: string): Promise<string> {
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const isValid = body.includes(valid);
      response.end(JSON.stringify({ result: isValid ? "Submission is valid." : "no", is_valid: isValid }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/validate`;
}

async function submit(data: string, url: string) {
  const submission = temporaryFolder();
  const outcome = await submitSample(
    readContract({ DATA_DIR: data, SUBMISSION_DIR: submission, MLEBENCH_VALIDATE_URL: url }),
  );
  const file = path.join(submission, "submission.csv");
  return { outcome, text: fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null, submission };
}

test("the exact name comes first, then other spellings, then archives; other tables are not candidates", () => {
  const data = dataWith(
    "train.csv",
    "sampleSubmission.csv",
    "sample_submission.csv",
    "sample_submission_stage2.csv",
    "deep/SAMPLE_SUBMISSION.CSV",
    "sample_submission.csv.zip",
    "images.zip",
  );
  expect(findSamples(data).map(({ file }) => path.relative(data, file))).toEqual([
    "sample_submission.csv",
    "sampleSubmission.csv",
    "sample_submission_stage2.csv",
    "deep/SAMPLE_SUBMISSION.CSV",
    "sample_submission.csv.zip",
  ]);
});

describe("submitting the sample", () => {
  test("takes the first candidate that is valid", async () => {
    const data = dataWith("sample_submission.csv", "sample_submission_stage2.csv");
    const { outcome, text, submission } = await submit(data, await harness("stage2"));
    expect(outcome).toMatchObject({ from: "sample_submission_stage2.csv", reply: { isValid: true } });
    expect(text).toBe("from sample_submission_stage2.csv\n");
    expect(fs.readdirSync(submission)).toEqual(["submission.csv"]);
  });

  test("leaves the surest one when none is valid, or nobody answers", async () => {
    const data = dataWith("sample_submission.csv", "sample_submission_stage2.csv");
    expect((await submit(data, await harness("nothing"))).text).toBe("from sample_submission.csv\n");
    const silent = await submit(data, "http://127.0.0.1:9/validate");
    expect(silent).toMatchObject({
      text: "from sample_submission.csv\n",
      outcome: { reply: { status: "no answer" } },
    });
  });

  test.each(["zip", "csv.gz", "tgz", "7z"])("unpacks it from .%s", async (extension) => {
    const data = temporaryFolder();
    const inside = dataWith("sample_submission.csv");
    const archive = path.join(data, `sample_submission.${extension}`);
    const name = "sample_submission.csv";
    const table = path.join(inside, name);
    if (extension === "zip") await writeZip(archive, [{ name, content: "file", file: table }], "deflate");
    if (extension === "csv.gz") fs.writeFileSync(archive, gzipSync(fs.readFileSync(table)));
    if (extension === "tgz") execFileSync("tar", ["-czf", archive, "-C", inside, name]);
    if (extension === "7z") await writeSevenZip(archive, inside, [name]);
    const { text } = await submit(data, await harness("from"));
    expect(text).toBe("from sample_submission.csv\n");
  });

  test("says so when there is none", async () => {
    const { outcome, text } = await submit(dataWith("train.csv"), await harness(""));
    expect(outcome).toEqual({ from: null, reply: null });
    expect(text).toBeNull();
  });
});
