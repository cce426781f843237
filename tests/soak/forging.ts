import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { mutationsOf } from "../forging/mutations.ts";
import { signedGroup } from "../forging/signed-group.ts";
import { acceptedForgeries } from "../forging/try-all.ts";

// Every forgery there is of a signed group: each field and file changed, dropped, swapped, copied and signed again.
process.env.MLEBENCH_TEST_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-forging-"));
process.env.XDG_STATE_HOME = path.join(process.env.MLEBENCH_TEST_FOLDER, "state");
const { folder, trustedKey, mallory } = await signedGroup();
const mutations = mutationsOf(folder, mallory);
const scratch = path.join(process.env.MLEBENCH_TEST_FOLDER, "copies");
const started = performance.now();
const accepted = await acceptedForgeries(folder, mutations, { trustedKey, scratch });
for (const name of accepted) console.log(`ACCEPTED: ${name}`);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(`${mutations.length} forgeries in ${seconds} s, ${accepted.length} accepted`);
fs.rmSync(process.env.MLEBENCH_TEST_FOLDER, { recursive: true, force: true });
process.exit(accepted.length === 0 ? 0 : 1);
