/**
 * Just enough of the WebAssembly binary format to write the innermost loops of the learners and of the CSV reader. Each
 * function gives the bytes of one instruction, operands first, so that a nested call reads like the expression it computes.
 */
export type Code = number[];

const I32 = 0x7f;
const I64 = 0x7e;
const F64 = 0x7c;
const V128 = 0x7b;
const VECTOR = 0xfd;
const SHARED_WITH_MAXIMUM = 0x03;
const LARGEST_PAGES = 65536;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const subtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
export const shiftLeft = (a: Code, bits: number): Code => [...a, ...constant(bits), 0x74];
export const notBelow = (a: Code, b: Code): Code => [...a, ...b, 0x4f];
export const above = (a: Code, b: Code): Code => [...a, ...b, 0x4b];
export const below = (a: Code, b: Code): Code => [...a, ...b, 0x49];
export const equal = (a: Code, b: Code): Code => [...a, ...b, 0x46];
export const unequal = (a: Code, b: Code): Code => [...a, ...b, 0x47];
export const isZero = (a: Code): Code => [...a, 0x45];
export const both = (a: Code, b: Code): Code => [...a, ...b, 0x71];
export const either = (a: Code, b: Code): Code => [...a, ...b, 0x72];
export const trailingZeros = (a: Code): Code => [...a, 0x68];
export const loadByte = (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)];
export const loadInt = (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)];
export const storeInt = (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0];
export const loadPair = (address: Code, offset = 0): Code => [...address, VECTOR, 0, 4, ...unsigned(offset)];
export const storePair = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  VECTOR,
  11,
  4,
  ...unsigned(offset),
];
export const loadDouble = (address: Code, offset = 0): Code => [...address, 0x2b, 3, ...unsigned(offset)];
export const storeDouble = (address: Code, value: Code): Code => [...address, ...value, 0x39, 3, 0];
export const divideDoubles = (a: Code, b: Code): Code => [...a, ...b, 0xa3];
export const negateDouble = (a: Code): Code => [...a, 0x9a];
export const longConstant = (value: number): Code => [0x42, ...signed(value)];
export const longOf = (int: Code): Code => [...int, 0xad];
export const addLongs = (a: Code, b: Code): Code => [...a, ...b, 0x7c];
export const multiplyLongs = (a: Code, b: Code): Code => [...a, ...b, 0x7e];
export const doubleOfLong = (a: Code): Code => [...a, 0xb9];
export const loadBytes = (address: Code): Code => [...address, VECTOR, 0, 0, 0];
export const storeBytes = (address: Code, value: Code): Code => [...address, ...value, VECTOR, 11, 0, 0];
export const sameBytes = (a: Code, b: Code): Code => [...a, ...b, VECTOR, 35];
export const eitherVector = (a: Code, b: Code): Code => [...a, ...b, VECTOR, 80];
/** A bit for each byte of a vector: whether its highest bit is set. */
export const byteFlags = (a: Code): Code => [...a, VECTOR, ...unsigned(100)];
export const vectorOf = (byte: number): Code => [VECTOR, 12, ...new Array(16).fill(byte)];
export const addPairs = (a: Code, b: Code): Code => [...a, ...b, VECTOR, ...unsigned(0xce)];
export const subtractPairs = (a: Code, b: Code): Code => [...a, ...b, VECTOR, ...unsigned(0xd1)];

export const loadSplat = (address: Code, offset = 0): Code => [...address, VECTOR, 9, 2, ...unsigned(offset)];
export const addFloats = (a: Code, b: Code): Code => [...a, ...b, VECTOR, ...unsigned(0xe4)];
export const multiplyFloats = (a: Code, b: Code): Code => [...a, ...b, VECTOR, ...unsigned(0xe6)];
/** The first where neither is larger. */
export const largerFloats = (a: Code, b: Code): Code => [...a, ...b, VECTOR, ...unsigned(0xeb)];
export const zeroVector: Code = vectorOf(0);
export const fillWithZeros = (address: Code, bytes: Code): Code => [
  ...[...address, ...constant(0), ...bytes],
  ...[0xfc, 11, 0],
];
export const copyBytes = (to: Code, from: Code, bytes: Code): Code => [
  ...[...to, ...from, ...bytes],
  ...[0xfc, 10, 0, 0],
];

/** Repeats the body for as long as the condition that ends it does not hold. */
export function loopUntil(done: Code, body: Code): Code {
  return [0x02, 0x40, 0x03, 0x40, ...done, 0x0d, 1, ...body, 0x0c, 0, 0x0b, 0x0b];
}

/** Leaves the block that lies `depth` blocks, loops and conditions further out; of a loop: starts it once more. */
export const leave = (depth: number): Code => [0x0c, ...unsigned(depth)];
export const leaveIf = (depth: number, condition: Code): Code => [...condition, 0x0d, ...unsigned(depth)];
export const block = (body: Code): Code => [0x02, 0x40, ...body, 0x0b];
export const loop = (body: Code): Code => [0x03, 0x40, ...body, 0x0b];

/** One level deeper inside, for those who leave. */
export function when(condition: Code, then: Code, otherwise: Code = []): Code {
  const alternative = otherwise.length > 0 ? [0x05, ...otherwise] : [];
  return [...condition, 0x04, 0x40, ...then, ...alternative, 0x0b];
}

/** A function of whole numbers; the locals are numbered after the parameters: whole numbers, longs, doubles, vectors. */
export interface AssembledFunction {
  readonly name: string;
  readonly parameters: number;
  readonly locals: number;
  readonly longs?: number;
  readonly doubles?: number;
  readonly vectors?: number;
  readonly returnsInt: boolean;
  readonly body: Code;
}

/** The bytes of a module that works on the memory imported as `env.memory`. */
export function assemble(
  functions: readonly AssembledFunction[],
  access: "shared" | "own" = "shared",
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, returnsInt }) => [
    0x60,
    ...vector(new Array(parameters).fill([I32])),
    ...vector(returnsInt ? [[I32]] : []),
  ]);
  const memory = [
    ...text("env"),
    ...text("memory"),
    0x02,
    ...(access === "shared" ? [SHARED_WITH_MAXIMUM, 1, ...unsigned(LARGEST_PAGES)] : [0x00, 1]),
  ];
  const exported = functions.map(({ name }, i) => [...text(name), 0x00, i]);
  const bodies = functions.map(({ locals, longs = 0, doubles = 0, vectors = 0, body }) => {
    const code = [
      ...vector([
        [locals, I32],
        [longs, I64],
        [doubles, F64],
        [vectors, V128],
      ]),
      ...body,
      0x0b,
    ];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      functions.map((_, i) => [i]),
    ),
    ...section(7, exported),
    ...section(10, bodies),
  ]);
}

function section(id: number, items: readonly Code[]): Code {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector([...Buffer.from(value)].map((byte) => [byte]));
}

function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const rest = value >> 7;
  const done = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0);
  return done ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)];
}
