import fs from "node:fs";
import path from "node:path";
import type { LoadedCompetition } from "../../../src/competitions/catalogue.ts";
import { makeDisguise } from "../../../src/data/disguise/disguise.ts";
import { wordPattern, wordsOf } from "../../../src/data/disguise/text.ts";

/** Disguises a public folder and looks for every removed word in the names and bytes of what an agent would see. */
export async function leftWords(loaded: LoadedCompetition, publicFolder: string, shelf: string) {
  const { id, name, files } = loaded.competition;
  const disguise = await makeDisguise({
    ...{ loaded, publicFolder, shelf, data: "digest", place: path.join(shelf, "texts") },
    description: fs.readFileSync(new URL("description.md", loaded.folder), "utf8"),
  });
  const shown = filesBelow(disguise.publicFolder);
  const words = shown.flatMap((file) => {
    const text = `${file}\n${fs.readFileSync(path.join(disguise.publicFolder, file), "latin1")}`;
    return wordsOf(id, name)
      .filter((word) => wordPattern(word).test(text))
      .map((word) => `${file}: ${word}`);
  });
  const sample = path.basename(files.sampleSubmission);
  const headers = [
    [publicFolder, filesBelow(publicFolder)] as const,
    [disguise.publicFolder, shown] as const,
  ].map(([folder, all]) => {
    const file = all.find((one) => path.basename(one) === sample && one.endsWith(".csv"));
    return file && fs.readFileSync(path.join(folder, file), "utf8").split("\n")[0];
  });
  const [real, seen] = headers;
  return { words, headerComesBack: !real || !seen || disguise.undoHeader(seen) === real };
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
