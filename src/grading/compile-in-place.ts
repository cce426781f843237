import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 optimise on the thread that waits for it. Grading is one short program: beside it the compiler works on code
 * that has run by then, which costs a tenth of the CPU seconds and gains nothing.
 */
export function compileInPlace(): void {
  setFlagsFromString("--no-concurrent-recompilation");
}
