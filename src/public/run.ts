export type { GroupGradeOutcome } from "../trials/group/grade.ts";
export type { RunGroup } from "../trials/group/schema.ts";
export { type GroupState, groupStates, type TrialState } from "../trials/state/group-state.ts";
export type { Heartbeat } from "../trials/state/heartbeat.ts";
export type { Trial } from "../trials/trial/schema.ts";
export type { RunControl, RunEvent, RunOutcome, RunProblem, RunRequest } from "../workflows/run/request.ts";
export { gradeRun, type ResumeOptions, resumeRun, startRun } from "../workflows/run/run.ts";
export { runTrialJob, type TrialJobOutcome, type TrialJobRequest } from "../workflows/run/trial.ts";
