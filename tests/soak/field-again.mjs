// Makes the field of one starter competition again, every solution of it, and compares it with the board that is
// committed. Another competition: npm run soak -- field-again starter-spam
import { spawnSync } from "node:child_process";

const [competition = "starter-sounds"] = process.argv.slice(2);
const args = ["scripts/field.mjs", "--check", "--competition", competition];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
process.exitCode = status ?? 1;
