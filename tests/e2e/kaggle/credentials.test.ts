import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { retryAfterMs } from "../../../src/data/kaggle/backoff.ts";
import { createKaggleClient } from "../../../src/data/kaggle/client.ts";
import { authorization, findCredentials } from "../../../src/data/kaggle/credentials.ts";
import { emptyFolder } from "./setting.ts";

function home(files: Record<string, string>, mode = 0o600): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    fs.chmodSync(file, mode);
  }
  return folder;
}

const keyFile = JSON.stringify({ username: "ann", key: "0123abcd" });

test("without any credentials the sentence is followed by the steps to get some", () => {
  const outcome = findCredentials({ env: {}, home: "/home/ann" });
  if (outcome.status !== "none") throw new Error(outcome.status);
  expect(outcome.problem).toMatchObject({ code: "NO_CREDENTIALS", blame: "user", retryable: false });
  expect(outcome.problem.message).toBe("No Kaggle credentials were found.");
  expect(outcome.problem.next).toContain("https://www.kaggle.com/settings/api");
  expect(outcome.problem.next).toContain("chmod 600 ~/.kaggle/access_token");
});

test("KAGGLE_USERNAME and KAGGLE_KEY are sent as basic authorization", () => {
  const outcome = findCredentials({
    env: { KAGGLE_USERNAME: "ann", KAGGLE_KEY: "0123abcd" },
    home: home({}),
  });
  if (outcome.status !== "found") throw new Error(outcome.status);
  expect(outcome.credentials).toMatchObject({ kind: "key", source: "KAGGLE_USERNAME and KAGGLE_KEY" });
  expect(authorization(outcome.credentials)).toBe(`Basic ${Buffer.from("ann:0123abcd").toString("base64")}`);
});

test("KAGGLE_API_TOKEN is sent as a bearer token and comes before everything else", () => {
  const outcome = findCredentials({
    env: { KAGGLE_API_TOKEN: " KGAT_abc\n", KAGGLE_USERNAME: "ann", KAGGLE_KEY: "0123abcd" },
    home: home({ ".kaggle/access_token": "KGAT_other" }),
  });
  if (outcome.status !== "found") throw new Error(outcome.status);
  expect(outcome.credentials.source).toBe("KAGGLE_API_TOKEN");
  expect(authorization(outcome.credentials)).toBe("Bearer KGAT_abc");
});

test("KAGGLE_API_TOKEN may name a file that holds the token", () => {
  const folder = home({ "secret/token": "KGAT_abc\n" });
  const file = path.join(folder, "secret/token");
  expect(findCredentials({ env: { KAGGLE_API_TOKEN: file }, home: folder })).toMatchObject({
    status: "found",
    credentials: { kind: "token", token: "KGAT_abc" },
  });
});

test("a token file comes before kaggle.json, and kaggle.json serves where there is no token", () => {
  const both = home({ ".kaggle/access_token": "KGAT_abc\n", ".kaggle/kaggle.json": keyFile });
  expect(findCredentials({ env: {}, home: both })).toMatchObject({
    status: "found",
    credentials: { kind: "token", token: "KGAT_abc", source: "~/.kaggle/access_token" },
    warnings: [],
  });
  const old = home({ ".kaggle/kaggle.json": keyFile });
  expect(findCredentials({ env: {}, home: old })).toMatchObject({
    status: "found",
    credentials: { kind: "key", username: "ann", source: "~/.kaggle/kaggle.json" },
  });
});

test("KAGGLE_CONFIG_DIR is looked into instead of the home folder", () => {
  const folder = home({ ".kaggle/kaggle.json": keyFile, "elsewhere/access_token": "KGAT_abc" });
  const env = { KAGGLE_CONFIG_DIR: path.join(folder, "elsewhere") };
  expect(findCredentials({ env, home: folder })).toMatchObject({ credentials: { token: "KGAT_abc" } });
  expect(findCredentials({ env: { KAGGLE_CONFIG_DIR: `${folder}/nowhere` }, home: folder }).status).toBe(
    "none",
  );
});

test("a newer token in the key of a kaggle.json is sent as a bearer token", () => {
  const folder = home({ ".kaggle/kaggle.json": JSON.stringify({ username: "ann", key: "KGAT_abc" }) });
  expect(findCredentials({ env: {}, home: folder })).toMatchObject({ credentials: { kind: "token" } });
});

test("a file that other users can read is used with a warning that tells the chmod", () => {
  const folder = home({ ".kaggle/kaggle.json": keyFile }, 0o644);
  const outcome = findCredentials({ env: {}, home: folder });
  if (outcome.status !== "found") throw new Error(outcome.status);
  expect(outcome.warnings).toEqual([
    `~/.kaggle/kaggle.json is open to other users of this machine: chmod 600 ${folder}/.kaggle/kaggle.json`,
  ]);
});

test.each([
  ["{", "is not JSON"],
  ["[]", 'has no "key"'],
  ["null", 'has no "key"'],
  ['{"username":"ann"}', 'has no "key"'],
  ['{"key":"0123abcd"}', 'has no "username"'],
  ['{"username":"ann","key":"se cret"}', "odd characters"],
  ['{"username":"a:b","key":"secret"}', "colon"],
])("a kaggle.json of %s is malformed, named, and its content is not shown", (content, cause) => {
  const outcome = findCredentials({ env: {}, home: home({ ".kaggle/kaggle.json": content }) });
  if (outcome.status !== "malformed") throw new Error(outcome.status);
  expect(outcome.problem.message).toContain("~/.kaggle/kaggle.json");
  expect(outcome.problem.message).toContain(cause);
  expect(JSON.stringify(outcome)).not.toMatch(/0123abcd|secret|se cret/);
});

test("an empty token file and a token with a line break inside are malformed", () => {
  for (const text of ["", "\n", "KGAT_a\nKGAT_b", "KGAT_ä"]) {
    const outcome = findCredentials({ env: {}, home: home({ ".kaggle/access_token": text }) });
    expect(outcome).toMatchObject({ status: "malformed", problem: { code: "MALFORMED_CREDENTIALS" } });
  }
});

test("half of the environment's pair is malformed and says which half is missing", () => {
  const outcome = findCredentials({ env: { KAGGLE_USERNAME: "ann" }, home: home({}) });
  if (outcome.status !== "malformed") throw new Error(outcome.status);
  expect(outcome.problem.message).toContain("KAGGLE_KEY is not set");
});

test("whatever the files hold, the outcome is found or malformed, and what is found fits into a header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.json(), (text, json) => {
      const folder = home({ ".kaggle/access_token.txt": text });
      const other = home({ ".kaggle/kaggle.json": json });
      for (const found of [
        findCredentials({ env: {}, home: folder }),
        findCredentials({ env: {}, home: other }),
      ]) {
        if (found.status === "found")
          expect(authorization(found.credentials)).toMatch(/^(Bearer|Basic) [!-~]+$/);
        else expect(found.status).toBe("malformed");
      }
    }),
    { numRuns: 50 },
  );
});

test("a Retry-After header of any content is a pause of zero or more, or nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, now) => {
      const pause = retryAfterMs(text, now);
      expect(pause === null || (Number.isFinite(pause) && pause >= 0)).toBe(true);
    }),
  );
});

test("credentials are not sent unencrypted to another machine", () => {
  const credentials = { kind: "token", token: "KGAT_abc", source: "KAGGLE_API_TOKEN" } as const;
  for (const address of ["http://example.org/api", "ftp://example.org", "nonsense"]) {
    expect(createKaggleClient(credentials, { address })).toMatchObject({
      status: "failed",
      code: "BAD_ADDRESS",
    });
  }
  expect(createKaggleClient(credentials, { address: "https://example.org/api" }).status).toBe("ready");
});
