import { forTerminal } from "./print.ts";

const EVERY_MS = 100;
const PLAIN_EVERY_MS = 10_000;

export type LiveLines = ReturnType<typeof liveLines>;

/**
 * Progress of several jobs on standard error. On a terminal each running job has a line that changes in place; elsewhere
 * a job writes a line when it turns to something new, and every ten seconds.
 */
export function liveLines() {
  const { stderr } = process;
  const onTerminal = stderr.isTTY === true;
  const lines = new Map<string, string>();
  const written = new Map<string, { step: string; at: number }>();
  let drawn = 0;
  let drawnAt = 0;

  function erase(): void {
    // The terminal itself may have written "^C" where the cursor stands.
    if (drawn > 0) stderr.write(`\r\x1b[${drawn}A\x1b[0J`);
    drawn = 0;
  }

  function draw(): void {
    erase();
    const width = stderr.columns || 80;
    for (const line of lines.values()) stderr.write(`${forTerminal(line.slice(0, width - 1))}\n`);
    drawn = lines.size;
    drawnAt = Date.now();
  }

  return {
    show(job: string, step: string, line: string): void {
      const now = Date.now();
      if (onTerminal) {
        lines.set(job, line);
        if (now - drawnAt >= EVERY_MS) draw();
        return;
      }
      const last = written.get(job);
      if (last?.step === step && now - last.at < PLAIN_EVERY_MS) return;
      written.set(job, { step, at: now });
      stderr.write(`${forTerminal(line)}\n`);
    },
    /** Prints lines that stay, above the moving ones. */
    keep(text: readonly string[]): void {
      erase();
      for (const line of text) stderr.write(`${forTerminal(line)}\n`);
      if (onTerminal) draw();
    },
    end(job: string): void {
      lines.delete(job);
      if (onTerminal) draw();
    },
  };
}
