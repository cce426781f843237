/** Whether this is `npm run test:full`: what takes long and has a cheaper test beside it runs only there. */
export const FULL = process.env.MLEBENCH_TEST_FULL === "1";
