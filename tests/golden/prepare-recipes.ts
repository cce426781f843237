import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Builds the raw folders that `full/recipe.json` describes; each recipe's own text says what is made. */
export function makeRawByRecipe(id: string, recipeFile: string, raw: string): void {
  const recipe = JSON.parse(fs.readFileSync(recipeFile, "utf8"));
  if (id === "AI4Code") makeNotebooks(raw, recipe);
  else if (id === "alaska2-image-steganalysis") makeImages(raw, recipe);
  else throw new Error(`there is no recipe for ${id}`);
}

function makeNotebooks(raw: string, { count, a, b }: { count: number; a: number; b: number }): void {
  const hash = (text: string, length: number) =>
    createHash("md5").update(text).digest("hex").slice(0, length);
  const id = (i: number) => hash(`nb${i}`, 14);
  fs.mkdirSync(path.join(raw, "train"), { recursive: true });
  const ancestors = ["id,ancestor_id,parent_id"];
  const orders = ["id,cell_order"];
  for (let i = 0; i < count; i++) {
    const keys = Array.from({ length: (i % 4) + 1 }, (_, j) => hash(`c${i}-${j}`, 8));
    const types = keys.map((key, j) => `"${key}": "${j % 2 === 0 ? "code" : "markdown"}"`);
    const sources = keys.map((key) => `"${key}": "x"`);
    const notebook = `{"cell_type": {${types.join(", ")}}, "source": {${sources.join(", ")}}}`;
    fs.writeFileSync(path.join(raw, "train", `${id(i)}.json`), notebook);
    const parent = i % 3 === 0 ? id((i * 31) % count) : "";
    ancestors.push(`${id(i)},${hash(`an${i % a === 0 ? i % b : i}`, 8)},${parent}`);
    orders.push(`${id(i)},${keys.reverse().join(" ")}`);
  }
  fs.writeFileSync(path.join(raw, "train_ancestors.csv"), `${ancestors.join("\n")}\n`);
  fs.writeFileSync(path.join(raw, "train_orders.csv"), `${orders.join("\n")}\n`);
}

function makeImages(raw: string, { count }: { count: number }): void {
  for (const folder of ["Cover", "JMiPOD", "JUNIWARD", "UERD"]) {
    fs.mkdirSync(path.join(raw, folder), { recursive: true });
    for (let i = 1; i <= count; i++) {
      const name = `${folder}/${String(i).padStart(5, "0")}.jpg`;
      fs.writeFileSync(path.join(raw, name), name);
    }
  }
}
