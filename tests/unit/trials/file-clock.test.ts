import { describe, expect, test } from "vitest";
import { openFileClock } from "../../../src/trials/trial/file-clock.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

/** A file system whose clock is set by hand; `at` says what it shows at a moment of the clock that never jumps. */
function settable(ahead: number) {
  const clock = { ahead, at: (moment: number) => moment + clock.ahead };
  const stamp = () => clock.at(performance.now());
  return { clock, stamper: Object.assign(stamp, { close: () => {} }) };
}

const HOUR = 3_600_000;

describe("what was written after a moment", () => {
  test.each([0, HOUR, -HOUR])("is told by a clock that is %s ms off", (ahead) => {
    const { clock, stamper } = settable(ahead);
    const files = openFileClock("/nowhere", stamper);
    const moment = performance.now() - 1000;
    expect(files.isAfter(clock.at(moment - 50), moment)).toBe(false);
    expect(files.isAfter(clock.at(moment + 50), moment)).toBe(true);
  });

  test.each([HOUR, -HOUR])("is told after the clock was moved by %s ms", (jump) => {
    const { clock, stamper } = settable(5);
    const files = openFileClock("/nowhere", stamper);
    const moment = performance.now() - 1000;
    const lateBefore = clock.at(moment + 50);
    clock.ahead += jump;
    files.look();
    const lateAfterwards = clock.at(moment + 500);
    expect(files.isAfter(lateBefore, moment)).toBe(true);
    expect(files.isAfter(lateAfterwards, moment)).toBe(true);
    expect(files.isAfter(clock.at(moment - 50) - 2 * HOUR, moment)).toBe(false);
  });

  test("is nothing as long as the moment has not come, whatever the clock says", () => {
    const { clock, stamper } = settable(0);
    const files = openFileClock("/nowhere", stamper);
    const moment = performance.now() + 60_000;
    expect(files.isAfter(clock.at(moment + HOUR), moment)).toBe(false);
  });

  test("is told by the clock of a real folder, in which nothing stays", async () => {
    const folder = temporaryFolder();
    const files = openFileClock(folder);
    const moment = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(files.isAfter(Date.now(), moment)).toBe(true);
    expect(files.isAfter(Date.now() - 200, moment)).toBe(false);
    files.close();
  });
});
