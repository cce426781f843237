/** A WAV file of one channel, 16 bits a sample. */
export function waveFile(samples: Int16Array, rate: number): Buffer {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write("RIFF", 0, "ascii");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "ascii");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "ascii");
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [i, sample] of samples.entries()) file.writeInt16LE(sample, 44 + 2 * i);
  return file;
}
