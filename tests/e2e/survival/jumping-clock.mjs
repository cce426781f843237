// Loaded into a harness with `node --import`: the clock on the wall is set to another time some moments after the
// start, and back and forth again. Clocks that never jump, and the stamps of files, stay as they are.
const { afterMs, byMs } = JSON.parse(process.env.MLEBENCH_TEST_CLOCK);
const Real = Date;
const shift = () => {
  const jumps = Math.floor(performance.now() / afterMs);
  return jumps === 0 ? 0 : jumps % 2 === 1 ? byMs : -byMs;
};
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + shift());
    else super(...args);
  }
  static now() {
    return Real.now() + shift();
  }
};
