import {
  COMMANDS,
  STRANGE,
  type StrangeKind,
  strangeScene,
  tryStrange,
} from "../e2e/hostile/strange-files.ts";

// `npm run soak -- strange-files [every]`: a pipe, a link and a folder in place of each file of a group, one after the
// other, each shown to every command that is given a group; `every` takes every so-manieth. The built package must be there.
const every = Number(process.argv[2] ?? 1);
const scene = strangeScene();
const started = performance.now();
let tried = 0;
let shown = 0;
let failed = 0;
for (const file of scene.files)
  for (const kind of Object.keys(STRANGE) as StrangeKind[])
    for (const command of Object.keys(COMMANDS)) {
      if (shown++ % every !== 0) continue;
      const problems = tryStrange(scene, { kind, files: [file], command });
      for (const problem of problems) console.log(problem);
      failed += problems.length > 0 ? 1 : 0;
      if (++tried % 100 === 0) console.log(`${tried} tried`);
    }
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${scene.files.length} files, ${tried} commands with something else in place of one, in ${seconds} s: ${failed} with problems`,
);
process.exitCode = failed === 0 ? 0 : 1;
