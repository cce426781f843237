import { type SystemRefusal, systemRefusal } from "../../files/system-error.ts";

/** A file system that says no is an outcome, like everything else that a person can mend; only a bug throws. */
export async function orRefusal<T>(
  work: () => Promise<T>,
  refuse: (problem: SystemRefusal) => T,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = systemRefusal(error);
    if (refusal === null) throw error;
    return refuse(refusal);
  }
}
