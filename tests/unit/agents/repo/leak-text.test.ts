import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readableText } from "../../../../src/agents/repo/leak-text.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

function textOf(bytes: Buffer): string {
  const root = temporaryFolder();
  fs.writeFileSync(path.join(root, "a.gz"), bytes);
  return readableText(root, "a.gz");
}

const packed = gzipSync(`dog-breed-identification\n${"0".repeat(9_000_000)}`);

test("of a packed text that is too large the beginning is read", () => {
  expect(packed.length).toBeLessThan(20_000);
  expect(textOf(packed)).toMatch(/^dog-breed-identification\n0/);
});

test("of a packed text that is damaged at its end the beginning is read; what only looks packed is no failure", () => {
  const damaged = gzipSync(
    `dog-breed-identification\n${Array.from({ length: 5000 }, (_, i) => i * i).join(" ")}`,
  );
  damaged[damaged.length - 6] ^= 1;
  expect(textOf(damaged)).toMatch(/^dog-breed-identification\n0 1 4 9/);
  expect(textOf(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).toBe("");
});
