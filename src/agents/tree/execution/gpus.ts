/** The devices that a trial was given, as its environment names them. */
export interface Gpus {
  /** Null where there are none. */
  variable: "CUDA_VISIBLE_DEVICES" | "ROCR_VISIBLE_DEVICES" | null;
  names: readonly string[];
}

export function gpusIn(environment: NodeJS.ProcessEnv): Gpus {
  for (const variable of ["CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"] as const) {
    const names = (environment[variable] ?? "").split(",").filter((name) => name.trim() !== "");
    if (names.length > 0) return { variable, names };
  }
  return { variable: null, names: [] };
}

/** One device for each of several workers; where there is one, all share it, and a single worker has them all. */
export function gpuOf({ variable, names }: Gpus, slot: number | null): Record<string, string> {
  if (variable === null || slot === null || names.length < 2) return {};
  const own = names[slot % names.length];
  // The devices of one worker are counted anew below the runtime that hides the others.
  return variable === "ROCR_VISIBLE_DEVICES"
    ? { [variable]: own, HIP_VISIBLE_DEVICES: "0" }
    : { [variable]: own };
}
