import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { mutationsOf } from "../forging/mutations.ts";
import { signedGroup } from "../forging/signed-group.ts";
import { tryForgeries } from "../forging/try-all.ts";

// Every forgery there is of a signed group: each field and file changed, dropped, swapped, copied and signed again. Every
// so-manieth: `npm run soak -- forging 10`; those with a word in their name: `npm run soak -- forging 1 "another group"`.
const every = Number(process.argv[2] ?? 1);
const word = process.argv[3] ?? "";
process.env.MLEBENCH_TEST_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-forging-"));
process.env.XDG_STATE_HOME = path.join(process.env.MLEBENCH_TEST_FOLDER, "state");
const { folder, other, trustedKey, publicKey, mallory } = await signedGroup();
const mutations = mutationsOf(folder, other, mallory)
  .filter(({ name }) => name.includes(word))
  .filter((_, i) => i % every === 0);
const started = performance.now();
const { accepted, forgeries, byCommand } = await tryForgeries(folder, mutations, {
  trustedKey,
  publicKey,
  commandEvery: 100,
  onTried: (tried) => {
    if (tried % 500 === 0) console.log(`${tried} of ${mutations.length}`);
  },
});
for (const name of accepted) console.log(`ACCEPTED: ${name}`);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${mutations.length} mutations, ${forgeries} of them forgeries, ${byCommand} by the command too, in ${seconds} s: ` +
    `${accepted.length} accepted`,
);
fs.rmSync(process.env.MLEBENCH_TEST_FOLDER, { recursive: true, force: true });
process.exit(accepted.length === 0 ? 0 : 1);
