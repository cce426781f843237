import type { Command } from "commander";
import type { SlurmSettings } from "../executors/slurm/schema.ts";

export interface SlurmOptions {
  partition?: string;
  account?: string;
  qos?: string;
  constraint?: string;
  nodes?: string;
  slurmArg?: string[];
}

/** Where jobs go that Slurm runs. */
export function addSlurmOptions(command: Command): Command {
  return command
    .option("--partition <name>", "slurm: where the trials run (default: the cluster's default)")
    .option("--account <name>", "slurm: whom they are charged to")
    .option("--qos <name>", "slurm: their quality of service")
    .option("--constraint <features>", "slurm: features that a node must have")
    .option("--nodes <names>", "slurm: the nodes that may be used, such as n[1-3]")
    .option("--slurm-arg <option>", "slurm: a further option of sbatch's; may be repeated", collect);
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Undefined where nothing was said. */
export function slurmSettingsFrom(options: SlurmOptions): SlurmSettings | undefined {
  const { partition, account, qos, constraint, nodes, slurmArg: args } = options;
  const given = Object.entries({ partition, account, qos, constraint, nodes, args });
  const named = given.filter(([, value]) => value !== undefined);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
