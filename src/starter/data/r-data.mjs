import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync, inflateSync } from "node:zlib";

/**
 * A data frame of an installed R package (its lazy-load database), as columns of plain values. Knows only the parts of
 * R's serialisation that data frames use; factors become their labels, missing values null, dates stay day numbers.
 */
export function readDataFrame(packageFolder, name) {
  const index = readSerialised(gunzipSync(fs.readFileSync(path.join(packageFolder, "data/Rdata.rdx"))));
  const place = named(named(index).variables)[name].values;
  const database = fs.readFileSync(path.join(packageFolder, "data/Rdata.rdb"));
  const chunk = database.subarray(place[0], place[0] + place[1]);
  const frame = readSerialised(unpacked(chunk));
  return Object.entries(named(frame)).map(([column, vector]) => ({ name: column, values: plain(vector) }));
}

/** A length, then zlib data, or a letter and the data of another compressor. */
function unpacked(chunk) {
  const letter = String.fromCharCode(chunk[4]);
  if (letter !== "2" && letter !== "Z") return inflateSync(chunk.subarray(4));
  const [command, ...options] =
    letter === "2" ? ["bzip2", "-dc"] : ["xz", "--format=raw", "--lzma2=preset=6", "-dc"];
  return execFileSync(command, options, { input: chunk.subarray(5), maxBuffer: 2 ** 28 });
}

function named({ values, attributes }) {
  return Object.fromEntries(attributes.names.values.map((name, i) => [name, values[i]]));
}

function plain({ values, attributes }) {
  const levels = attributes?.levels?.values;
  return levels ? values.map((code) => (code === null ? null : levels[code - 1])) : values;
}

function readSerialised(bytes) {
  let at = 2;
  const symbols = [];
  const int = () => {
    at += 4;
    return bytes.readInt32BE(at - 4);
  };
  const integer = () => {
    const value = int();
    return value === -(2 ** 31) ? null : value;
  };
  const real = () => {
    at += 8;
    const value = bytes.readDoubleBE(at - 8);
    return Number.isNaN(value) ? null : value;
  };
  const many = (count, read) => Array.from({ length: count }, read);
  const version = int();
  at += 8;
  if (version === 3) at += bytes.readInt32BE(at) + 4;
  return item();

  function item() {
    const flags = int();
    const type = flags & 255;
    if (type === 254 || type === 242 || type === 253 || type === 251) return null;
    if (type === 255) return symbols[(flags >> 8 || int()) - 1];
    if (type === 1) {
      const symbol = item();
      symbols.push(symbol);
      return symbol;
    }
    if (type === 9) {
      const length = int();
      if (length === -1) return null;
      at += length;
      return bytes.toString("utf8", at - length, at);
    }
    if (type === 2) return pairList(flags);
    if (type === 238) return compact();
    const read = { 10: integer, 13: integer, 14: real, 16: item, 19: item }[type];
    if (!read) throw new Error(`R type ${type} is not read here`);
    const values = many(int(), read);
    return { values, attributes: flags & 512 ? item() : {} };
  }

  function pairList(flags) {
    const list = {};
    for (let next = flags; (next & 255) === 2; next = int()) {
      if (next & 512) item();
      const tag = next & 1024 ? item() : "";
      list[tag] = item();
    }
    return list;
  }

  /** An alternative representation: only ranges of integers and wrapped vectors occur. */
  function compact() {
    const info = item();
    const state = item();
    const attributes = item() ?? {};
    const kind = Object.values(info)[0];
    if (kind === "compact_intseq") {
      const [count, first, step] = state.values;
      return { values: many(count, (_, i) => first + i * step), attributes };
    }
    const wrapped = Array.isArray(state?.values) ? (state.values[0] ?? state) : Object.values(state)[0];
    return { ...wrapped, attributes: { ...wrapped.attributes, ...attributes } };
  }
}
