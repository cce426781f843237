import {
  type Architecture,
  CONDITIONAL_CALLS,
  LAST_KNOWN_CALL,
  NAMESPACE_FLAGS,
  REFUSED_CALLS,
  SOCKET_FAMILIES,
  TERMINAL_REQUESTS,
  UNKNOWN_CALL_ERRNO,
} from "./refused.ts";

const AUDIT_ARCH: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
/** Offsets in the kernel's `struct seccomp_data`; of an argument the lower half, which is all an int has. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD_WORD, 0, 0, offset];
const refuse = (errno: number): Instruction => [RETURN, 0, 0, ERRNO | errno];
const allow: Instruction = [RETURN, 0, 0, ALLOW];

/** The filter as bubblewrap's `--seccomp` takes it: an array of the kernel's `struct sock_filter`. */
export function filterProgram(architecture: Architecture): Buffer {
  const { socket, socketpair, ioctl, clone } = CONDITIONAL_CALLS;
  const conditional = [
    ...onCall(socket[architecture], oneOf(0, SOCKET_FAMILIES, socket.errno)),
    ...onCall(socketpair[architecture], oneOf(0, SOCKET_FAMILIES, socketpair.errno)),
    ...onCall(ioctl[architecture], noneOf(1, TERMINAL_REQUESTS, ioctl.errno)),
    ...onCall(clone[architecture], [
      load(argument(0)),
      [JUMP_ANY_BIT, 0, 1, NAMESPACE_FLAGS],
      refuse(clone.errno),
      allow,
    ]),
  ];
  const refused = REFUSED_CALLS.flatMap(({ errno, [architecture]: number }) =>
    number === null ? [] : ([[JUMP_EQUAL, 0, 1, number], refuse(errno)] as Instruction[]),
  );
  return encode([
    // The calls of another architecture have other numbers: 32-bit programs get none at all.
    load(ARCHITECTURE),
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[architecture]],
    refuse(UNKNOWN_CALL_ERRNO),
    load(NUMBER),
    [JUMP_GREATER, 0, 1, LAST_KNOWN_CALL],
    refuse(UNKNOWN_CALL_ERRNO),
    ...refused,
    ...conditional,
    allow,
  ]);
}

/** The steps for one call, each of which ends in a decision; any other call jumps over them. */
function onCall(number: number, steps: readonly Instruction[]): Instruction[] {
  return [[JUMP_EQUAL, 0, steps.length, number], ...steps];
}

function oneOf(index: number, values: readonly number[], errno: number): Instruction[] {
  const tests = values.map((value, at): Instruction => [JUMP_EQUAL, values.length - at, 0, value]);
  return [load(argument(index)), ...tests, refuse(errno), allow];
}

function noneOf(index: number, values: readonly number[], errno: number): Instruction[] {
  const tests = values.map((value, at): Instruction => [JUMP_EQUAL, values.length - at, 0, value]);
  return [load(argument(index)), ...tests, allow, refuse(errno)];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
