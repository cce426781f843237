import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { adpcm } from "./adpcm.mjs";
import { csv, writeRawArchive } from "./raw-archive.mjs";
import { seeded, shuffled } from "./seeded.mjs";

const RATE = 11_025;
const SECONDS = 0.65;
/** Of these families the recording's name tells the kind of sound. The first match counts. */
const KINDS = [
  [/^bd_|kick|^drum_bass_/, "kick"],
  [/^sn_|snare/, "snare"],
  [/cymbal|splash|hat|crash|sabmute/, "cymbal"],
  [/tom/, "tom"],
  [/^tabla_/, "tabla"],
  [/^bass_/, "bass"],
  [/^ambi_|^vinyl_/, "ambience"],
  [/^elec_/, "blip"],
];

/** The CC0 recordings of two Debian packages, as 16-bit samples in one file and a table that says where each lies. */
export function makeSounds(packages, flac) {
  const recordings = [...sonicPi(packages, flac), ...audiophob(packages)]
    .flatMap((one) => {
      const kind = KINDS.find(([pattern]) => pattern.test(one.name))?.[1];
      return kind ? [{ ...one, kind }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = [];
  const rows = [];
  let offset = 0;
  for (const { name, kit, kind, wave } of recordings) {
    const samples = resampled(readWave(wave));
    rows.push([name, kit, kind, offset, samples.length]);
    parts.push(Buffer.from(samples.buffer));
    offset += samples.length;
  }
  writeRawArchive("starter-sounds", [
    ["recordings.csv", csv(["recording", "kit", "kind", "offset", "length"], rows)],
    ["recordings.pcm", Buffer.concat(parts)],
  ]);
}

const LANGUAGES = {
  en: "en_US_f_Allison",
  es: "es_MX_f_Allison",
  fr: "fr_CA_f_June",
  it: "it_IT_m_Carlo",
  ru: "ru_RU_f_IvrvoiceRU",
};
const CLIPS_A_LANGUAGE = 300;
const SPEECH_RATE = 6000;

/** A second of speech from each of 300 announcements in five languages: 4 bits a sample, for 16 would be too large. */
export function makeSpokenLanguages(packages) {
  const clips = Object.entries(LANGUAGES).flatMap(([language, voice], i) => {
    const folder = path.join(
      packages,
      `asterisk-core-sounds-${language}-wav/usr/share/asterisk/sounds/${voice}`,
    );
    const names = fs
      .readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith(".wav"))
      .sort();
    return shuffled(names, seeded(40 + i))
      .flatMap((name) => {
        const samples = liveliestSecond(readWave(fs.readFileSync(path.join(folder, name))));
        return samples ? [{ language, samples }] : [];
      })
      .slice(0, CLIPS_A_LANGUAGE);
  });
  const order = shuffled(clips, seeded(39));
  writeRawArchive("starter-spoken-languages", [
    [
      "recordings.csv",
      csv(
        ["language"],
        order.map(({ language }) => [language]),
      ),
    ],
    ["recordings.adpcm", Buffer.concat(order.map(({ samples }) => adpcm(samples)))],
  ]);
}

/** The second with the most sound in it, loudest sample at nine tenths; null for shorter recordings. */
function liveliestSecond({ rate, samples }) {
  const slow = Float64Array.from({ length: Math.floor((samples.length * SPEECH_RATE) / rate) }, (_, i) => {
    const at = (i * rate) / SPEECH_RATE;
    const before = Math.floor(at);
    const [a, b, c] = [samples[before - 1] ?? 0, samples[before], samples[before + 1] ?? 0];
    const [from, to] = [(a + 2 * b + c) / 4, (b + 2 * c + (samples[before + 2] ?? 0)) / 4];
    return from + (at - before) * (to - from);
  });
  if (slow.length < SPEECH_RATE) return null;
  const step = SPEECH_RATE / 20;
  let [start, most] = [0, -1];
  for (let from = 0; from + SPEECH_RATE <= slow.length; from += step) {
    const own = slow
      .subarray(from, from + SPEECH_RATE)
      .reduce((sum, value) => sum + Math.sqrt(Math.abs(value)), 0);
    if (own > most) [start, most] = [from, own];
  }
  const second = slow.subarray(start, start + SPEECH_RATE);
  const loudest = second.reduce((high, value) => Math.max(high, Math.abs(value)), 1e-6);
  return Int16Array.from(second, (value) => Math.round((value / loudest) * 0.9 * 32767));
}

function* sonicPi(packages, flac) {
  const folder = path.join(packages, "sonic-pi-samples/usr/share/sonic-pi/samples");
  const copyright = fs.readFileSync(
    path.join(packages, "sonic-pi-samples/usr/share/doc/sonic-pi-samples/copyright"),
    "utf8",
  );
  for (const stanza of copyright.split("\n\n")) {
    if (!/^License: CC0$/m.test(stanza)) continue;
    for (const [, name] of stanza.matchAll(/etc\/samples\/(\S+)\.flac/g)) {
      const file = path.join(folder, `${name}.flac`);
      const wave = execFileSync(flac, ["-d", "-s", "-c", file], { maxBuffer: 2 ** 28 });
      yield { name, kit: name.split("_")[0], wave };
    }
  }
}

function* audiophob(packages) {
  const folder = path.join(packages, "hydrogen-drumkits/usr/share/hydrogen/data/drumkits/Audiophob");
  for (const file of fs.readdirSync(folder).sort()) {
    if (!file.endsWith(".wav")) continue;
    const wave = fs.readFileSync(path.join(folder, file));
    // One of them is an AIFF file.
    if (wave.toString("ascii", 0, 4) !== "RIFF") continue;
    const name = path
      .basename(file, ".wav")
      .replace(/^\d+__/, "")
      .replaceAll("__", "_");
    yield { name, kit: "audiophob", wave };
  }
}

/** The mean of the channels, from -1 to 1. */
function readWave(bytes) {
  let format;
  for (let at = 12; ; ) {
    const kind = bytes.toString("ascii", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (kind === "data")
      return { rate: format.rate, samples: mono(bytes.subarray(at + 8, at + 8 + size), format) };
    if (kind === "fmt ")
      format = {
        channels: bytes.readUInt16LE(at + 10),
        rate: bytes.readUInt32LE(at + 12),
        width: bytes.readUInt16LE(at + 22) / 8,
      };
    at += 8 + size + (size & 1);
  }
}

function mono(data, { channels, width }) {
  const read = (at) =>
    width === 1 ? (data[at] - 128) / 128 : data.readIntLE(at, width) / 2 ** (8 * width - 1);
  const count = Math.floor(data.length / (width * channels));
  return Float64Array.from({ length: count }, (_, i) => {
    let sum = 0;
    for (let c = 0; c < channels; c++) sum += read((i * channels + c) * width);
    return sum / channels;
  });
}

/** From the first audible sample on, a box filter before every step, loudest sample at nine tenths. */
function resampled({ rate, samples }) {
  const start = samples.findIndex((value) => Math.abs(value) > 0.01);
  const step = rate / RATE;
  const length = Math.min(Math.floor((samples.length - start) / step), Math.floor(SECONDS * RATE));
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const from = start + Math.floor(i * step);
    const to = Math.max(from + 1, start + Math.floor((i + 1) * step));
    for (let j = from; j < to; j++) out[i] += samples[j] / (to - from);
  }
  const loudest = out.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
  return Int16Array.from(out, (value) => Math.round((value / loudest) * 0.9 * 32767));
}
