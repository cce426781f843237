import { DEFAULT_LIMITS } from "../../table/csv/layout.ts";
import { type GroupGradeOptions, type GroupGradeOutcome, gradeGroup } from "../../trials/group/grade.ts";
import { orRefusal } from "../or-refusal.ts";

/** Grades a group as `mlebench grade <group>` does; its report goes into its folder. Null when it was interrupted. */
export async function gradeRun(
  folder: string,
  options: Partial<GroupGradeOptions> = {},
): Promise<GroupGradeOutcome | null> {
  try {
    return await orRefusal<GroupGradeOutcome>(
      () => gradeGroup(folder, { limits: DEFAULT_LIMITS, ...options }),
      (problem) => ({ status: "refused", problem }),
    );
  } catch (error) {
    if (options.signal?.aborted) return null;
    throw error;
  }
}
