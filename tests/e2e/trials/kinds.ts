import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";

/** Whether this machine can isolate; with MLEBENCH_REQUIRE_ALL=1 not being able to is a failure. */
export const ISOLATES = await canTest("bubblewrap");

export const KINDS: readonly SandboxKind[] = ISOLATES ? ["process", "bubblewrap"] : ["process"];

/** The best there is. */
export const KIND = ISOLATES ? "bubblewrap" : "process";
