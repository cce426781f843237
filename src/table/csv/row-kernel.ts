import {
  above,
  add,
  addLongs,
  assemble,
  below,
  block,
  both,
  byteFlags,
  type Code,
  constant,
  divideDoubles,
  doubleOfLong,
  either,
  eitherVector,
  equal,
  get,
  isZero,
  leave,
  leaveIf,
  loadByte,
  loadBytes,
  loadDouble,
  loadInt,
  longConstant,
  longOf,
  loop,
  multiplyLongs,
  negateDouble,
  notBelow,
  sameBytes,
  set,
  shiftLeft,
  storeBytes,
  storeDouble,
  storeInt,
  subtract,
  trailingZeros,
  unequal,
  vectorOf,
  when,
} from "../../formats/webassembly.ts";

const TAB_OR_BLANK = 32;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
/** As many digits as a double holds exactly, whatever they are. */
const MAX_DIGITS = 15;
const LONGEST_MISSING = 8;
/** The first bytes of all texts that are missing values, but for `1.#IND` and its like. */
const MISSING_STARTS = [35, 45, 60, 78, 110];

/** Where things lie in the memory of the kernel, in bytes. */
export const REACHED = 0;
export const POWERS = 16;
export const COLUMNS = 256;

/** What the kernel knows of a column: five whole numbers, its kind, its flags, and where its values go. */
export const COLUMN_BYTES = 20;
export const SKIPPED = 0;
export const DECIMALS = 1;
export const TEXTS = 2;
export const HAS_POINT = 1;
export const HAS_MINUS = 2;
const FLAGS = 4;
const OUT = 8;
const TEXT_OUT = 12;
const TEXT_END = 16;

/**
 * `takeRows(at, length, most, columns, columnsEnd)`: takes rows from `at` on, at most `most`, and says how many. It stops
 * at the first that holds anything but short plain decimals, unquoted texts that are surely no missing value, and cells
 * nobody wants, or that has too many or too few of them; what it reached lies at `REACHED`: behind the last row that was
 * taken, and where it stopped reading, which is `length` when a row is cut by the end of the window. Values go to where
 * the columns say, doubles one behind the other; of texts, the bytes and where each of them ends.
 */
export function assembleTakeRows(): Uint8Array<ArrayBuffer> {
  const [at, length, most, columns, columnsEnd] = [0, 1, 2, 3, 4];
  const [taken, p, column, byte, start, decimals, negative, n, to] = [5, 6, 7, 8, 9, 10, 11, 12, 13];
  const digits = 14;
  const value = 15;
  const [commas, feeds, returns, here] = [16, 17, 18, 19];

  const nextByte = [...set(p, add(get(p), constant(1))), ...set(byte, loadByte(get(p)))];
  const readDigits = loop(
    when(below(subtract(get(byte), constant(48)), constant(10)), [
      ...set(
        digits,
        addLongs(multiplyLongs(get(digits), longConstant(10)), longOf(subtract(get(byte), constant(48)))),
      ),
      ...nextByte,
      ...leave(1),
    ]),
  );
  const raise = (flag: number) =>
    storeInt(add(get(column), constant(FLAGS)), either(loadInt(get(column), FLAGS), constant(flag)));
  const advance = (offset: number, by: Code) =>
    storeInt(add(get(column), constant(offset)), add(loadInt(get(column), offset), by));

  /** `refuse` is how far out the block lies that a row nobody here can take is left by. */
  const takeDecimal = (refuse: number): Code => [
    ...set(negative, equal(get(byte), constant(MINUS))),
    ...when(get(negative), [...nextByte, ...raise(HAS_MINUS)]),
    ...set(start, get(p)),
    ...set(digits, longConstant(0)),
    ...set(decimals, constant(0)),
    ...readDigits,
    ...set(n, subtract(get(p), get(start))),
    ...when(equal(get(byte), constant(POINT)), [
      ...set(start, get(p)),
      ...nextByte,
      ...readDigits,
      ...set(decimals, subtract(subtract(get(p), get(start)), constant(1))),
      ...set(n, add(get(n), get(decimals))),
      ...raise(HAS_POINT),
    ]),
    ...leaveIf(refuse, notBelow(subtract(get(n), constant(1)), constant(MAX_DIGITS))),
    ...set(value, doubleOfLong(get(digits))),
    ...when(
      get(decimals),
      set(value, divideDoubles(get(value), loadDouble(shiftLeft(get(decimals), 3), POWERS))),
    ),
    ...when(get(negative), set(value, negateDouble(get(value)))),
    ...storeDouble(loadInt(get(column), OUT), get(value)),
    ...advance(OUT, constant(8)),
  ];

  const findEnd: Code = [
    ...loop([
      ...set(here, loadBytes(get(p))),
      ...set(
        n,
        byteFlags(
          eitherVector(
            sameBytes(get(here), get(commas)),
            eitherVector(sameBytes(get(here), get(feeds)), sameBytes(get(here), get(returns))),
          ),
        ),
      ),
      ...when(isZero(get(n)), [...set(p, add(get(p), constant(16))), ...leave(1)]),
    ]),
    ...set(p, add(get(p), trailingZeros(get(n)))),
  ];

  const mayBeMissing = MISSING_STARTS.map((first) => equal(get(byte), constant(first))).reduce(
    either,
    both(equal(get(byte), constant(49)), equal(loadByte(get(start), 1), constant(POINT))),
  );
  const takeText = (refuse: number): Code => [
    ...set(n, subtract(get(p), get(start))),
    ...leaveIf(refuse, isZero(get(n))),
    ...when(both(above(get(n), constant(1)), below(get(n), constant(LONGEST_MISSING + 1))), [
      ...leaveIf(refuse + 1, mayBeMissing),
    ]),
    ...set(to, loadInt(get(column), TEXT_OUT)),
    ...advance(TEXT_OUT, get(n)),
    ...advance(TEXT_END, get(n)),
    // Sixteen bytes at a time, past the end of the text: what is too much is overwritten by the next one.
    ...loop([
      ...storeBytes(get(to), loadBytes(get(start))),
      ...set(to, add(get(to), constant(16))),
      ...set(start, add(get(start), constant(16))),
      ...leaveIf(0, below(get(start), get(p))),
    ]),
    ...storeInt(loadInt(get(column), OUT), loadInt(get(column), TEXT_END)),
    ...advance(OUT, constant(4)),
  ];

  const takeCell: Code = [
    ...set(byte, loadByte(get(p))),
    ...when(equal(loadInt(get(column)), constant(DECIMALS)), takeDecimal(3), [
      ...leaveIf(3, equal(get(byte), constant(QUOTE))),
      ...set(start, get(p)),
      ...findEnd,
      ...when(equal(loadInt(get(column)), constant(TEXTS)), takeText(4)),
      ...set(byte, loadByte(get(p))),
    ]),
  ];
  const row: Code = [
    ...leaveIf(1, notBelow(get(taken), get(most))),
    ...set(p, get(at)),
    ...set(column, get(columns)),
    // A line that begins with a blank may be blank altogether, and is looked at elsewhere.
    ...leaveIf(1, below(loadByte(get(p)), constant(TAB_OR_BLANK + 1))),
    ...loop([
      ...takeCell,
      ...set(column, add(get(column), constant(COLUMN_BYTES))),
      ...when(below(get(column), get(columnsEnd)), [
        ...leaveIf(3, unequal(get(byte), constant(COMMA))),
        ...set(p, add(get(p), constant(1))),
        ...leave(1),
      ]),
    ]),
    ...when(equal(get(byte), constant(CARRIAGE_RETURN)), nextByte),
    ...leaveIf(1, either(unequal(get(byte), constant(LINE_FEED)), notBelow(get(p), get(length)))),
    ...set(at, add(get(p), constant(1))),
    ...set(taken, add(get(taken), constant(1))),
    ...leave(0),
  ];
  const body: Code = [
    ...set(commas, vectorOf(COMMA)),
    ...set(feeds, vectorOf(LINE_FEED)),
    ...set(returns, vectorOf(CARRIAGE_RETURN)),
    ...set(p, get(at)),
    ...block(loop(row)),
    ...storeInt(constant(REACHED), get(at)),
    ...storeInt(constant(REACHED + 4), get(p)),
    ...get(taken),
  ];
  return assemble(
    [
      {
        name: "takeRows",
        parameters: 5,
        locals: 9,
        longs: 1,
        doubles: 1,
        vectors: 4,
        returnsInt: true,
        body,
      },
    ],
    "own",
  );
}
