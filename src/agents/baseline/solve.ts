import { solveForecast } from "./solve-forecast.ts";
import { solveList } from "./solve-list.ts";
import { solveMasks } from "./solve-masks.ts";
import { solvePixels } from "./solve-pixels.ts";
import { solveRows } from "./solve-rows.ts";
import { solveSequence } from "./solve-sequence.ts";
import type { Task } from "./task.ts";
import type { Workbench } from "./workbench.ts";

/** Hands the task to whoever knows its shape; for an unknown one the sample submission stays. */
export async function solve(task: Task, bench: Workbench): Promise<void> {
  switch (task.shape) {
    case "rows":
      return solveRows(task, bench);
    case "forecast":
      return solveForecast(task, bench);
    case "ranked list":
      return solveList(task, bench);
    case "masks":
      return solveMasks(task, bench);
    case "restored pixels":
      return solvePixels(task, bench);
    case "sequence":
      return solveSequence(task, bench);
    case "unknown":
      return;
  }
}
