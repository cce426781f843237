import { setFlagsFromString } from "node:v8";

/** V8's own budget of bytecode, after which it looks at optimising a function. */
const USUAL_BUDGET = 132 * 1024;
const PATIENT_BUDGET = 16 * USUAL_BUDGET;
/** Files of fewer bytes than this are graded before optimised code has paid for itself. */
const SMALL_FILE = 2 ** 20;

/**
 * Lets V8 optimise on the thread that waits for it. Grading is one short program: beside it the compiler works on code
 * that has run by then, which costs a tenth of the CPU seconds and gains nothing.
 */
export function compileInPlace(): void {
  setFlagsFromString("--no-concurrent-recompilation");
}

/** For a batch of small files, of which each is graded by other code: optimising that takes longer than running it. */
export function compileFor(bytes: number): void {
  setFlagsFromString(`--interrupt-budget=${bytes < SMALL_FILE ? PATIENT_BUDGET : USUAL_BUDGET}`);
}
