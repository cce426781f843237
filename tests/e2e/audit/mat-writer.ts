import { deflateSync } from "node:zlib";

const INT8 = 1;
const INT32 = 5;
const UINT32 = 6;
const MATRIX = 14;
const COMPRESSED = 15;
const UTF16 = 4;
const CHARACTERS = 4;
const STRUCT = 2;

function element(type: number, data: Buffer): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(data.length, 4);
  return Buffer.concat([tag, data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}

function matrix(kind: number, dimensions: number[], name: string, content: Buffer): Buffer {
  const flags = Buffer.alloc(8);
  flags[0] = kind;
  const sizes = Buffer.alloc(4 * dimensions.length);
  for (const [i, size] of dimensions.entries()) sizes.writeInt32LE(size, 4 * i);
  const header = [element(UINT32, flags), element(INT32, sizes), element(INT8, Buffer.from(name, "latin1"))];
  return element(MATRIX, Buffer.concat([...header, content]));
}

function characters(text: string): Buffer {
  return matrix(
    CHARACTERS,
    [text === "" ? 0 : 1, text.length],
    "",
    element(UTF16, Buffer.from(text, "utf16le")),
  );
}

function struct(name: string, fields: string[], elements: Buffer[][]): Buffer {
  const width = Buffer.alloc(4);
  width.writeInt32LE(32);
  const names = Buffer.concat(
    fields.map((field) => Buffer.concat([Buffer.from(field), Buffer.alloc(32)], 32)),
  );
  const content = [element(INT32, width), element(INT8, names), ...elements.flat()];
  return matrix(STRUCT, [1, elements.length], name, Buffer.concat(content));
}

/** A MATLAB 5 file as the gesture recordings have them: a struct `Video` whose field `Labels` lists what is shown. */
export function gestureMat(labels: readonly string[]): Buffer {
  const header = Buffer.alloc(128, " ");
  header.write("MATLAB 5.0 MAT-file", "latin1");
  header.writeUInt16LE(0x0100, 124);
  header.write("IM", 126, "latin1");
  const list = struct(
    "",
    ["Name"],
    labels.map((label) => [characters(label)]),
  );
  const video = struct("Video", ["Creator", "Labels"], [[characters("camera one"), list]]);
  const packed = deflateSync(video);
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(COMPRESSED, 0);
  tag.writeUInt32LE(packed.length, 4);
  return Buffer.concat([header, tag, packed]);
}
