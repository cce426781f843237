// full: what coding agents survive, with real programs in a closed sandbox
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findInstalled } from "../../../src/agents/coding/installed.ts";
import { notTested } from "../../tools.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ISOLATES } from "../trials/kinds.ts";
import { prepareFor, SURVIVAL, survive } from "./survival.ts";

const root = temporaryFolder();
const data = path.join(root, "data");

beforeAll(() => prepareFor(data), 240_000);

/** The other programs are `npm run soak -- coding-agents`. */
const IN_CI = {
  pi: ["error", "budget", "deadline", "stop", "flood"],
  codex: ["error", "budget", "deadline", "stop", "flood"],
} as const;

describe.each(Object.keys(IN_CI) as (keyof typeof IN_CI)[])("%s survives", (id) => {
  const installed = ISOLATES && findInstalled(id) !== null;
  if (!installed)
    notTested({
      what: `what ${id} survives`,
      why: "it is not installed, or nothing isolates here",
      command: `npx mlebench agents install ${id}`,
    });

  test.runIf(installed).each([...IN_CI[id]])(
    "%s, and the submission that stood counts",
    (name) => {
      const runs = fs.mkdtempSync(path.join(root, "runs-"));
      expect(survive(id, SURVIVAL[name], { data, runs })).toEqual([]);
    },
    300_000,
  );
});
