/**
 * What nobody can exclude by looking at a group, however well it is signed. `verify` prints these sentences, and
 * docs/trust.md has each of them, which a test compares.
 */
export const CANNOT_EXCLUDE: readonly string[] = [
  "The key's owner ran everything twice, or more often, and shows one of the groups: ask for the announcement of its plan (mlebench run --announce).",
  "The key's owner ran a changed harness, or wrote and signed a record by other means: a signature says who vouches, not that it is true.",
  "The key's owner deleted the newest trials together with every later start, and ran them again.",
  "The grade was taken out of a single trial's certificate: without the group's own, one that was graded looks like one that never was.",
  "The key is not its owner's: compare its fingerprint with one you got another way, and use --key.",
  "The clock of the machine was wrong: all times are the harness's.",
  "The agent knew the competition or its answers before, or learned of them through a network it was allowed.",
  "An agent without isolation (process) read the answers, or changed what the harness wrote while it ran.",
  "The data were prepared wrongly before the run: digests say which data were used, not that they are the right ones.",
];
