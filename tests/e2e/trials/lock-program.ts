import { takeLock, waitForLock } from "../../../src/files/lock-file.ts";

/**
 * On a host of its own: `hold <file>` takes a lock and keeps it, saying when it is lost; `wait <file> <ms>` waits for one
 * until its counter has stood still for so long.
 */
const [what, file, silence] = process.argv.slice(2);
const say = (word: string) => console.log(word);
if (what === "hold") {
  const lock = takeLock(file, "group-lock", { beats: true });
  say(lock.status);
  if (lock.status === "locked")
    lock.lost.addEventListener("abort", () => say(`lost, mine: ${lock.isMine()}`));
  setInterval(() => {}, 1000);
} else {
  const startedAt = performance.now();
  const lock = await waitForLock(file, "group-lock", { beats: true, silenceMs: Number(silence) });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`${lock.status === "locked" ? "taken" : lock.owner} after ${seconds} s`);
  // Whoever had it before must see whose it is now.
  setTimeout(() => process.exit(), lock.status === "locked" ? 60_000 : 0);
}
