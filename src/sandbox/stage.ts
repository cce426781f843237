import fs from "node:fs";
import path from "node:path";

/** Host paths laid out where an unprivileged user can reach them, whatever the folders above them allow. */
export interface Stage {
  /** For `mount --all --fstab`, in a mount namespace of its own: the host never sees these mounts. */
  table: string;
  at(host: string): string;
}

/** Prepares a mount point for every source; the mounts themselves are made by the launcher. */
export function makeStage(scratch: string, sources: readonly string[]): Stage {
  const folder = path.join(scratch, "stage");
  const staged = new Map<string, string>();
  fs.mkdirSync(folder, { mode: 0o711 });
  for (const source of new Set(sources)) {
    const point = path.join(folder, `${staged.size}`);
    if (fs.statSync(source).isDirectory()) fs.mkdirSync(point);
    else fs.writeFileSync(point, "");
    staged.set(source, point);
  }
  const table = path.join(scratch, "stage.fstab");
  const lines = [...staged].map(([source, point]) => `${escaped(source)} ${escaped(point)} none rbind 0 0\n`);
  fs.writeFileSync(table, lines.join(""));
  return { table, at: (host) => staged.get(host) ?? host };
}

function escaped(text: string): string {
  return text.replace(/[\\\s#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
