export { type AtifExportOutcome, exportTrajectories } from "../workflows/exchange/atif/export.ts";
export {
  type ExportedTask,
  exportHarbor,
  type HarborExportOutcome,
  type HarborExportRequest,
} from "../workflows/exchange/harbor/export.ts";
export {
  type HarborImportOutcome,
  type HarborImportRequest,
  importHarborJob,
} from "../workflows/exchange/harbor/import-job.ts";
export {
  exportInspect,
  type InspectExportOutcome,
  type InspectExportRequest,
} from "../workflows/exchange/inspect/export.ts";
export {
  exportInspectTasks,
  type InspectTasksOutcome,
  type InspectTasksRequest,
} from "../workflows/exchange/inspect/task-package.ts";
