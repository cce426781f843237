import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { certificateText, readCertificate } from "../../../../src/trials/certificate/certificate.ts";
import type { Certificate } from "../../../../src/trials/certificate/schema.ts";
import { readExactly } from "../../../../src/trials/certificate/verify-seal.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const GROUP = path.join(import.meta.dirname, "../../../fixtures/groups/0.1/dummy-unsigned");

test("a certificate that lists more files than other records have room for is read, and verified", () => {
  const [trial] = fs.readdirSync(GROUP).filter((name) => name.startsWith("starter-births_"));
  const text = fs.readFileSync(path.join(GROUP, trial, "certificate.json"), "utf8");
  const certificate: Certificate = JSON.parse(text);
  // Few long names instead of many short ones: what counts is how many bytes the file has.
  for (let i = 0; i < 35; i++)
    certificate.record.content.files.push({
      path: `logs/${i}${"x".repeat(2 ** 21)}`,
      bytes: 0,
      sha256: "0".repeat(64),
    });
  const file = writeText(temporaryFolder(), "certificate.json", certificateText(certificate));
  expect(fs.statSync(file).size).toBeGreaterThan(70 * 2 ** 20);
  expect(readCertificate(file)?.record.content.files.length).toBe(certificate.record.content.files.length);
  expect(readExactly(file)).toHaveProperty("value");
});
