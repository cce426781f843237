import { expect, it } from "vitest";
import { ENTRIES } from "../../../src/competitions/catalogue.generated.ts";
import { loadCompetition } from "../../../src/competitions/catalogue.ts";
import { hasCorrectedData } from "../../../src/competitions/competition.ts";
import { loadPreparer } from "../../../src/competitions/load-preparer.ts";

it("a preparer has a version v2 exactly where an erratum says that the data are corrected", async () => {
  for (const { id } of ENTRIES) {
    const loaded = (await loadCompetition(id))!;
    const preparer = await loadPreparer(loaded);
    if (!preparer) continue;
    expect([id, preparer.prepareV2 !== undefined]).toEqual([id, hasCorrectedData(loaded.competition)]);
  }
});
