import { execFileSync } from "node:child_process";
import type { GroupSettings } from "../../../src/trials/group-schema.ts";
import { makeEssentialRoot } from "../sandbox/essential-root.ts";

const IMAGE = "localhost/mlebench-test-hostile";

export type Kind = "bubblewrap" | "podman";

/** A file system without Node, Python or curl in a new folder, and an image of it; says how a run asks for it. */
export function makeMinimalSystem(
  folder: string,
  kinds: readonly Kind[],
): (kind: Kind) => Partial<GroupSettings> {
  makeEssentialRoot(folder);
  if (kinds.includes("podman"))
    execFileSync("sh", ["-c", `tar -C "$1" -c . | podman import - ${IMAGE}`, "sh", folder], {
      stdio: "ignore",
    });
  return (kind) => (kind === "podman" ? { image: IMAGE } : { rootFolder: folder });
}
