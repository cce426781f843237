import { definePreparer } from "../preparer.ts";
import { prepareHerbarium } from "../preparing/files/herbarium-years.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  prepare: (preparation) => prepareHerbarium(preparation, { folder: "", encoding: "utf8" }),
});
