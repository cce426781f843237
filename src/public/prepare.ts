export type { PrepareOutcome } from "../data/prepare/outcome.ts";
export { type PrepareControl, type PrepareRequest, prepare } from "../workflows/prepare.ts";
