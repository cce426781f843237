import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { RunningSandbox } from "../../../src/sandbox/sandbox.ts";

/** Each process writes the next number into `count`, gives birth to the next process and ends. */
export const RELAY = `perl -e '
  $SIG{CHLD} = "IGNORE"; $SIG{TERM} = "IGNORE";
  for (my $n = 1; ; $n++) {
    open my $out, ">", "new"; print $out $n; close $out; rename "new", "count";
    exit if fork;
  }' & while :; do sleep 1; done`;

export interface FrozenRelay {
  /** Whether the count stood still while it was frozen, and went on before and after. */
  ranBefore: boolean;
  stoodStill: boolean;
  ranAfter: boolean;
  milliseconds: number;
}

/** Freezes a running relay for half a second, lets it go on, and ends it. */
export async function freezeRelay(running: RunningSandbox, file: string): Promise<FrozenRelay> {
  const count = () => Number(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : 0);
  for (let tries = 0; tries < 300 && count() < 20; tries++) await wait(50);
  const before = performance.now();
  const begun = count();
  await running.freeze();
  const milliseconds = performance.now() - before;
  const first = count();
  await wait(500);
  const second = count();
  await running.thaw();
  for (let tries = 0; tries < 100 && count() === second; tries++) await wait(50);
  const third = count();
  await running.kill();
  return { ranBefore: begun >= 20, stoodStill: first === second, ranAfter: third > second, milliseconds };
}
