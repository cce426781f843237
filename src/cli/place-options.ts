import path from "node:path";
import { type Command, Option } from "commander";
import { SandboxKind } from "../sandbox/kind.ts";
import type { GivenPlaces } from "../trials/group/places.ts";
import { addDataOptions, collectFolders, type DataOptions, givenKey } from "./options.ts";

/** What a group from somebody else cannot say for itself. */
export interface PlaceOptions extends DataOptions {
  agentsDir?: string;
  materials?: string;
  root?: string;
  show?: string[];
  modelsFile?: string;
  sandbox?: SandboxKind;
  sign?: string | boolean;
}

export const PLACES_HELP = `
A group that your own installation did not plan names nothing on your machine: folders, key and sandbox are then yours
to give.
`;

export function addPlaceOptions(command: Command): Command {
  return addDataOptions(command)
    .option("--agents-dir <dir>", "folder with agents of your own, for a group that is not yours")
    .option("--materials <folder>", "what it mounted at /home/materials, for a group that is not yours")
    .option("--root <folder>", "the root file system, for a group that is not yours")
    .option("--show <folder>", "a folder its agents see, for a group that is not yours", collectFolders)
    .addOption(
      new Option("--sandbox <kind>", "where the agent runs, for a group that is not yours").choices(
        SandboxKind.options,
      ),
    )
    .option("--models-file <file>", "where its models.yaml lies now, if not where it was")
    .option("--sign <key>", "sign the certificates with this key, for a group that is not yours")
    .option("--no-sign", "sign nothing");
}

export function givenPlaces(options: PlaceOptions): GivenPlaces {
  const resolved = (place: string | undefined) => (place === undefined ? undefined : path.resolve(place));
  const agentsDir = resolved(options.agentsDir);
  return {
    dataDir: resolved(options.dataDir),
    competitionsDir: resolved(options.competitions),
    agentFolders: agentsDir === undefined ? undefined : [agentsDir],
    materials: resolved(options.materials),
    show: options.show,
    rootFolder: resolved(options.root),
    modelsFile: resolved(options.modelsFile),
    sandbox: options.sandbox,
    signingKey: givenKey(options.sign),
  };
}
