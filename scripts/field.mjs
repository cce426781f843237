// npm run field: makes the leaderboards of the starter competitions. A field is TypeScript, which Node 20 does not run,
// so everything is bundled first: the maker, its worker, and one program for each field.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bundlePrograms } from "./bundle-program.mjs";
import { generateCatalogue } from "./generate-catalogue.mjs";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "src/starter/fields");
// The field of starter-spam is spam.ts; whatever else lies there is shared by several.
const fields = fs
  .readdirSync(folder)
  .filter(
    (file) =>
      file.endsWith(".ts") &&
      fs.existsSync(path.join(root, `src/competitions/starter-${path.parse(file).name}`)),
  );
// Below node_modules, so that the bundle finds the packages it imports.
const bundles = path.join(root, "node_modules/.cache/mlebench-field", String(process.pid));
// Ctrl-C goes to the child too, which cleans up and says how it ended.
process.on("SIGINT", () => {});
try {
  await generateCatalogue();
  const programs = [
    path.join(root, "scripts/field/make.ts"),
    path.join(root, "src/starter/making/worker.ts"),
    ...fields.map((file) => path.join(folder, file)),
  ];
  await bundlePrograms(programs, bundles);
  process.exitCode = await run(path.join(bundles, "make.mjs"), process.argv.slice(2));
} finally {
  fs.rmSync(bundles, { recursive: true, force: true });
}

function run(program, options) {
  const child = spawn(process.execPath, [program, ...options], { cwd: root, stdio: "inherit" });
  return new Promise((resolve) =>
    child.on("exit", (code, signal) => {
      if (signal) console.error(`error  the field was ended by ${signal}; nothing half-made was written`);
      resolve(code ?? 3);
    }),
  );
}
