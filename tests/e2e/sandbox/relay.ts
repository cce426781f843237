import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { RunningSandbox } from "../../../src/sandbox/sandbox.ts";

/**
 * Relays side by side. Each process writes the next number into its relay's file, gives birth to the next process and
 * ends: whoever lists processes and signals them one by one comes too late for some of many.
 */
export const relays = (width: number) => `perl -e '
  $SIG{CHLD} = "IGNORE"; $SIG{TERM} = "IGNORE";
  my $own = 0; for (1 .. ${width - 1}) { if (!fork) { $own = $_; last } }
  for (my $n = 1; ; $n++) {
    open my $out, ">", "new$own"; print $out $n; close $out; rename "new$own", "count$own";
    exit if fork;
  }' & while :; do sleep 1; done`;

/** The same without a relay: processes that stay, and hear no signal that can be ignored. */
export const writers = (width: number) => `perl -e '
  $SIG{$_} = "IGNORE" for qw(TERM INT HUP TSTP);
  my $own = 0; for (1 .. ${width - 1}) { if (!fork) { $own = $_; last } }
  for (my $n = 1; ; $n++) { open my $out, ">", "new$own"; print $out $n; close $out; rename "new$own", "count$own" }
  ' & while :; do sleep 1; done`;

export interface FrozenRelay {
  /** Whether the count stood still while it was frozen, and went on before and after. */
  ranBefore: boolean;
  stoodStill: boolean;
  ranAfter: boolean;
  milliseconds: number;
}

/** Freezes a running relay for half a second, lets it go on, and ends it. */
export async function freezeRelay(
  running: RunningSandbox,
  folder: string,
  whileFrozen: () => void = () => {},
): Promise<FrozenRelay> {
  const count = () =>
    fs
      .readdirSync(folder)
      .filter((name) => name.startsWith("count"))
      .reduce((sum, name) => sum + Number(fs.readFileSync(path.join(folder, name), "utf8")), 0);
  for (let tries = 0; tries < 300 && count() < 20; tries++) await wait(50);
  const before = performance.now();
  const begun = count();
  await running.freeze();
  const milliseconds = performance.now() - before;
  const first = count();
  await wait(500);
  const second = count();
  whileFrozen();
  await running.thaw();
  for (let tries = 0; tries < 100 && count() === second; tries++) await wait(50);
  const third = count();
  await running.kill();
  return { ranBefore: begun >= 20, stoodStill: first === second, ranAfter: third > second, milliseconds };
}
