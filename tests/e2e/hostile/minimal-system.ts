import { execFileSync, spawnSync } from "node:child_process";
import type { GroupSettings } from "../../../src/trials/group/schema.ts";
import { makeEssentialRoot } from "../sandbox/essential-root.ts";

const IMAGE = `localhost/mlebench-test-minimal-${process.pid}`;

export type Kind = "bubblewrap" | "podman";

export interface MinimalSystem {
  /** How a run asks for it. */
  settingsFor(kind: Kind): Partial<GroupSettings>;
  /** The image is the only thing that lies outside the folder. */
  removeImage(): void;
}

/** A file system without Node, Python or curl in a new folder, and an image of it. */
export function makeMinimalSystem(folder: string, kinds: readonly Kind[]): MinimalSystem {
  makeEssentialRoot(folder);
  if (kinds.includes("podman"))
    execFileSync("sh", ["-c", `tar -C "$1" -c . | podman import - ${IMAGE}`, "sh", folder], {
      stdio: "ignore",
    });
  return {
    settingsFor: (kind) => (kind === "podman" ? { image: IMAGE } : { rootFolder: folder }),
    removeImage: () => {
      if (kinds.includes("podman")) spawnSync("podman", ["rmi", "--force", IMAGE]);
    },
  };
}
