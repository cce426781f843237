import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseResultOutput, readResultLine } from "../../../../src/analysis/scorecard/result-line.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

const RESULT = {
  seed: 3,
  runtime_seconds: 10,
  peak_memory_mb: 20,
  artifacts: ["submission.csv"],
  tasks: [],
  replay: { command: ["sh", "run.sh"], environment: {} },
  unknown: "is ignored",
};
const LINE = `MLE_BENCH_LITE_RESULT=${JSON.stringify(RESULT)}`;

describe("the result line", () => {
  test("is found among other output, indented, and the last one counts", () => {
    const text = `hello\n  ${LINE}\n${LINE.replace('"seed":3', '"seed":4')}\nbye\n`;
    expect(parseResultOutput(text).line?.seed).toBe(4);
  });

  test("a valid line wins over a later invalid one, and a valid one after an invalid one", () => {
    expect(parseResultOutput(`${LINE}\nMLE_BENCH_LITE_RESULT={oops\n`).status).toBe("ok");
    expect(parseResultOutput(`MLE_BENCH_LITE_RESULT={oops\n${LINE}\n`).status).toBe("ok");
  });

  test("in the middle of a line it is none", () => {
    expect(parseResultOutput(`echo ${LINE}\n`).status).toBe("missing");
  });

  test("broken JSON is malformed, cut JSON at the end of the output is truncated", () => {
    expect(parseResultOutput("MLE_BENCH_LITE_RESULT={oops\n").status).toBe("malformed_json");
    expect(parseResultOutput(LINE.slice(0, -5)).status).toBe("truncated");
    expect(parseResultOutput("[mlebench] output limit reached, 9 more bytes were dropped\n").status).toBe(
      "truncated",
    );
  });

  test("a wrong type is named by its path", () => {
    const found = parseResultOutput(LINE.replace('"seed":3', '"seed":"3"'));
    expect(found.status).toBe("schema_error");
    expect(found.problems.join()).toContain("$.seed");
  });

  test("more than a mebibyte is malformed", () => {
    expect(parseResultOutput(`MLE_BENCH_LITE_RESULT="${"x".repeat(2 ** 20)}"\n`).status).toBe(
      "malformed_json",
    );
  });

  test("counts from either stream", () => {
    const folder = temporaryFolder();
    const [stdout, stderr] = ["out", "err"].map((name) => path.join(folder, name));
    fs.writeFileSync(stdout, "nothing\n");
    fs.writeFileSync(stderr, `${LINE}\n`);
    expect(readResultLine([stdout, stderr]).status).toBe("ok");
    expect(readResultLine([path.join(folder, "absent")]).status).toBe("missing");
  });

  test("no output whatever makes the reader throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), (noise, json) => {
        parseResultOutput(`${noise}\nMLE_BENCH_LITE_RESULT=${json}\n${noise}`);
      }),
    );
  });
});
