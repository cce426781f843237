import fs from "node:fs";
import path from "node:path";

/** Gives an agent its task: the official text if the user has imported it, else our own. */
export function placeDescription(
  imported: string,
  competitionFolder: URL,
  publicFolder: string,
): "official" | "ours" | "none" {
  const target = path.join(publicFolder, "description.md");
  if (fs.existsSync(imported)) {
    fs.copyFileSync(imported, target);
    return "official";
  }
  const ours = new URL("description.md", competitionFolder);
  if (!fs.existsSync(ours)) return "none";
  fs.copyFileSync(ours, target);
  return "ours";
}
