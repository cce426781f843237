const WORDNET = [/wordnet/i, /\bimport wn\b/];
const CLIP_ART = [/open-?clipart/i];

/**
 * Competitions whose answers anybody can look up: the package or site that holds them, and what reaching for it looks
 * like. The packages that docs/starter.md names are all among them. Their medals mean something only where the network was closed and nothing of this was installed.
 */
export const PUBLIC_ANSWERS: Readonly<Record<string, { where: string; signs: readonly RegExp[] }>> = {
  "starter-dependencies": {
    where: "Debian's package lists (apt-cache)",
    signs: [
      /\bapt-(cache|rdepends)\b/,
      /\bgrep-(aptavail|available|dctrl)\b/,
      /\/var\/lib\/(apt|dpkg)\b/,
      /\bdpkg(-query)?\b/,
      /\bpython3?-apt\b/,
      /\bimport apt(_pkg)?\b/,
    ],
  },
  "starter-house-prices": {
    where: "the R packages modeldata and AmesHousing",
    signs: [/\bmodeldata\b/, /\bAmesHousing\b/, /\bfetch_openml\s*\([^)]*house_prices/],
  },
  "starter-batch-jobs": { where: "the R package modeldata", signs: [/\bmodeldata\b/, /\bhpc_data\b/] },
  "starter-garments": {
    where: "Fashion-MNIST, which many libraries download",
    signs: [/\bfashion[-_]?mnist\b/i],
  },
  "starter-pronunciation": {
    where: "the CMU Pronouncing Dictionary (nltk, pronouncing, g2p_en)",
    signs: [/cmudict/i, /\bfestlex-cmu\b/, /\bimport pronouncing\b/, /\bg2p_en\b/],
  },
  "starter-verb-frames": { where: "WordNet (nltk, wn)", signs: WORDNET },
  "starter-word-fields": { where: "WordNet (nltk, wn)", signs: [...WORDNET, /\blexname\b/] },
  "starter-door-numbers": {
    where: "MNIST, which many libraries download (the digits, not the pictures)",
    signs: [/(?<!fashion-)\bmnist(_784)?\b/i],
  },
  "starter-spoken-languages": {
    where: "Asterisk's announcements (Debian asterisk-core-sounds; the recordings, not the clips)",
    signs: [/asterisk-core-sounds/, /share\/asterisk\/sounds/],
  },
  "starter-sounds": {
    where: "the samples of Sonic Pi and Hydrogen (the recordings, not the clips)",
    signs: [/\bsonic-pi\b/, /\bhydrogen-drumkits\b/, /share\/hydrogen\/data/],
  },
  "starter-cutouts": { where: "the Open Clip Art Library (the drawings)", signs: CLIP_ART },
  "starter-stained-drawings": { where: "the Open Clip Art Library (the clean drawings)", signs: CLIP_ART },
  "starter-spam": {
    where: "the SpamAssassin public corpus",
    signs: [/spam[-_ ]?assassin/i],
  },
  "starter-bird-strikes": { where: "vega-datasets", signs: [/\bvega[-_]datasets\b/] },
  "starter-births": {
    where: "the births of 1969 to 1988, day by day, in packages of npm and R",
    signs: [/\bdatasets-cdc-nchs-us-births\b/, /\bmosaicData\b/],
  },
  "tabular-playground-series-dec-2021": {
    where: "the original forest cover data",
    signs: [/\bfetch_covtype\b/],
  },
  "ml2021spring-hw2": { where: "the TIMIT corpus", signs: [/\btimit\b/i] },
  "champs-scalar-coupling": { where: "QM9", signs: [/\bQM9\b/i] },
  "histopathologic-cancer-detection": { where: "PatchCamelyon", signs: [/\bPCAM\b/i, /patch_?camelyon/i] },
  "dogs-vs-cats-redux-kernels-edition": {
    where: "the Asirra set of torchvision and TensorFlow",
    signs: [/\bcats_vs_dogs\b/, /OxfordIIITPet/],
  },
  "jigsaw-toxic-comment-classification-challenge": {
    where: "Hugging Face's copy with labels",
    signs: [/jigsaw_toxicity_pred/],
  },
};
