// full: coding agents with providers of every protocol, real programs in a closed sandbox
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { notTested } from "../../tools.ts";
import { NAMES } from "../../unit/models/protocols/made-up.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ISOLATES } from "../trials/kinds.ts";
import { askedAcross, isInstalled } from "./across.ts";
import { prepareFor } from "./survival.ts";

const root = temporaryFolder();
const data = path.join(root, "data");

beforeAll(() => prepareFor(data), 240_000);

/** The other programs are `npm run soak -- coding-agents`. */
describe.each(["pi", "codex"] as const)("%s with its own protocol", (id) => {
  const installed = ISOLATES && isInstalled(id);
  if (!installed)
    notTested({
      what: `${id} with providers of every protocol`,
      why: "it is not installed, or nothing isolates here",
      command: `npx mlebench agents install ${id}`,
    });

  test.runIf(installed).each(NAMES)(
    "and a provider of %s: words, a tool call, its result and an error arrive, and both ledgers agree",
    async (provider) => {
      const runs = fs.mkdtempSync(path.join(root, "runs-"));
      expect(await askedAcross(id, provider, { data, runs })).toEqual([]);
    },
    200_000,
  );
});
