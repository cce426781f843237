import type { GpuSlot } from "./devices.ts";

/** In what a scheduler, or whoever shares the machine with others, may say which devices are ours. */
export interface GpuVariables {
  SLURM_JOB_GPUS?: string | undefined;
  CUDA_VISIBLE_DEVICES?: string | undefined;
}

/**
 * Which of a machine's slots this process may use; all of them where nobody says. Identifiers mean the same device for
 * everybody, and are the only names that slices have. Slurm's own variable numbers devices as the host does, CUDA's
 * counts those that can be seen.
 */
export function givenSlots(slots: readonly GpuSlot[], variables: GpuVariables): string[] {
  const { SLURM_JOB_GPUS: slurm, CUDA_VISIBLE_DEVICES: cuda } = variables;
  const identifiers = namesIn(cuda).filter((name) => /^(GPU|MIG)-/.test(name));
  if (identifiers.length > 0)
    return identifiers.flatMap((name) => slots.find(({ uuid }) => uuid === name)?.slot ?? []);
  if (slurm !== undefined)
    return namesIn(slurm).flatMap((name) => slots.find(({ slot }) => slot === name)?.slot ?? []);
  if (cuda === undefined) return slots.map(({ slot }) => slot);
  return namesIn(cuda).flatMap((name) => (/^\d+$/.test(name) ? (slots[Number(name)]?.slot ?? []) : []));
}

function namesIn(list: string | undefined): string[] {
  return (list ?? "").split(",").map((name) => name.trim());
}
