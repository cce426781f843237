// Makes data/starter/*.tar.gz from unpacked npm and Debian packages. Not needed to use mlebench: the archives are in the
// repository. Usage: node src/starter/data/make-all.mjs <folder with one sub-folder per package> [path of flac]
import { clipArt, makeCutouts, makeDoorNumbers, makeGarments, makeStainedDrawings } from "./pictures.mjs";
import { makeSounds, makeSpokenLanguages } from "./sounds.mjs";
import { makeBatchJobs, makeBirdStrikes, makeBirths, makeHousePrices } from "./tables.mjs";
import { makeDependencies, makePronunciation, makeSpam, makeVerbFrames, makeWordFields } from "./texts.mjs";

const [packages, flac = "flac"] = process.argv.slice(2);
if (packages === undefined) {
  console.error("usage: node src/starter/data/make-all.mjs <folder of unpacked packages> [flac]");
  process.exit(2);
}
makeBirdStrikes(packages);
makeHousePrices(packages);
makeBatchJobs(packages);
makeBirths(packages);
makeSpam(packages);
makePronunciation(packages);
makeVerbFrames(packages);
makeDependencies();
makeGarments(packages);
makeCutouts(clipArt(packages, 0));
makeStainedDrawings(clipArt(packages, 1));
makeSounds(packages, flac);
makeDoorNumbers(packages);
makeSpokenLanguages(packages);
makeWordFields(packages);
