import { definePreparer } from "../preparer.ts";
import { prepareHerbarium } from "../preparing/files/herbarium-years.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  // The original decodes this file as Latin-1, so that names beyond ASCII come out garbled.
  prepare: (preparation) => prepareHerbarium(preparation, { folder: "nybg2020", encoding: "latin1" }),
});
