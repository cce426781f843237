export interface Sound {
  readonly sampleRate: number;
  /** One channel, from −1 to 1. */
  readonly samples: Float64Array;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/** Reads a WAV file of whole numbers (8 to 32 bits) or 32-bit floats, channels averaged; null for anything else. */
export function readWav(bytes: Buffer): Sound | null {
  if (
    bytes.length < 12 ||
    bytes.toString("latin1", 0, 4) !== "RIFF" ||
    bytes.toString("latin1", 8, 12) !== "WAVE"
  )
    return null;
  let format: { code: number; channels: number; sampleRate: number; bits: number } | null = null;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const start = at + 8;
    const end = Math.min(bytes.length, start + bytes.readUInt32LE(at + 4));
    if (name === "fmt " && end - start >= 16) {
      const code = bytes.readUInt16LE(start);
      format = {
        code: code === EXTENSIBLE && end - start >= 26 ? bytes.readUInt16LE(start + 24) : code,
        channels: bytes.readUInt16LE(start + 2),
        sampleRate: bytes.readUInt32LE(start + 4),
        bits: bytes.readUInt16LE(start + 14),
      };
    }
    if (name === "data" && format !== null) {
      const read = sampleReader(format.code, format.bits);
      if (read === null || format.channels === 0 || format.sampleRate === 0) return null;
      const { channels, sampleRate } = format;
      const width = format.bits / 8;
      const samples = new Float64Array(Math.floor((end - start) / (width * channels)));
      for (let i = 0; i < samples.length; i++) {
        for (let channel = 0; channel < channels; channel++)
          samples[i] += read(bytes, start + (i * channels + channel) * width) / channels;
      }
      return { sampleRate, samples };
    }
    // Chunks begin at even places; a file may leave out the filling byte at its very end only.
    at = end + (end % 2);
  }
  return null;
}

function sampleReader(code: number, bits: number): ((bytes: Buffer, at: number) => number) | null {
  if (code === FLOAT && bits === 32) return (bytes, at) => bytes.readFloatLE(at);
  if (code !== PCM) return null;
  if (bits === 8) return (bytes, at) => (bytes[at] - 128) / 128;
  if (bits === 16 || bits === 24 || bits === 32)
    return (bytes, at) => bytes.readIntLE(at, bits / 8) / 2 ** (bits - 1);
  return null;
}
