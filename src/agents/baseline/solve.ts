import { solveForecast } from "./solvers/forecast.ts";
import { solveList } from "./solvers/list.ts";
import { solveMasks } from "./solvers/masks.ts";
import { solvePixels } from "./solvers/pixels.ts";
import { solveRows } from "./solvers/rows.ts";
import { solveSequence } from "./solvers/sequence.ts";
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
