import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { homeFolder } from "../../files/home-folder.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { canonicalJson } from "./canonical-json.ts";

/** An Ed25519 signature with the key it can be checked with. Whose key that is, only its owner can say. */
export const Signature = z.strictObject({
  algorithm: z.literal("Ed25519"),
  /** The key's fingerprint. */
  key: z.string(),
  publicKey: z.string(),
  value: z.string(),
});
export type Signature = z.infer<typeof Signature>;

export interface SigningKey {
  fingerprint: string;
  privateKey: KeyObject;
}

/** The user's own folder for keys; `keys create` writes there unless told otherwise. */
export function keysFolder(): string {
  const base = process.env.XDG_CONFIG_HOME || path.join(homeFolder(), ".config");
  return path.join(base, "mle-bench", "keys");
}

/** Makes a new pair, `<name>.key` for its owner alone and `<name>.pub` to give away. Never replaces a key. */
export function createKey(
  folder: string,
  name: string,
):
  | { status: "created"; fingerprint: string; key: string; publicKey: string }
  | { status: "exists"; key: string } {
  const key = path.join(folder, `${name}.key`);
  const publicFile = path.join(folder, `${name}.pub`);
  if (fs.existsSync(key)) return { status: "exists", key };
  const pair = generateKeyPairSync("ed25519");
  makeFolder(folder, 0o700);
  fs.writeFileSync(key, pair.privateKey.export({ type: "pkcs8", format: "pem" }), {
    mode: 0o600,
    flag: "wx",
  });
  fs.writeFileSync(publicFile, pair.publicKey.export({ type: "spki", format: "pem" }));
  return { status: "created", fingerprint: fingerprint(pair.publicKey), key, publicKey: publicFile };
}

/** What to say of a file from which `readSigningKey` reads nothing. */
export function noKeyText(file: string): string {
  return fs.existsSync(file) ? `${file} is not a signing key.` : `There is no signing key ${file}.`;
}

/** Null when the file is not an Ed25519 private key. */
export function readSigningKey(file: string): SigningKey | null {
  try {
    const privateKey = createPrivateKey(fs.readFileSync(file));
    if (privateKey.asymmetricKeyType !== "ed25519") return null;
    return { privateKey, fingerprint: fingerprint(createPublicKey(privateKey)) };
  } catch {
    return null;
  }
}

/** The fingerprint of a `.pub` file (or of a private key); null when it is neither. */
export function readFingerprint(file: string): string | null {
  try {
    return fingerprint(createPublicKey(fs.readFileSync(file)));
  } catch {
    return null;
  }
}

export function signValue(value: unknown, { privateKey, fingerprint: key }: SigningKey): Signature {
  return {
    algorithm: "Ed25519",
    key,
    publicKey: publicBytes(createPublicKey(privateKey)).toString("base64"),
    value: sign(null, Buffer.from(canonicalJson(value)), privateKey).toString("base64"),
  };
}

/** Whether the signature fits the value and the key its own fingerprint names. */
export function signatureHolds(value: unknown, signature: Signature): boolean {
  if (!isExactBase64(signature.publicKey) || !isExactBase64(signature.value)) return false;
  try {
    const publicKey = createPublicKey({
      key: Buffer.from(signature.publicKey, "base64"),
      type: "spki",
      format: "der",
    });
    if (publicKey.asymmetricKeyType !== "ed25519" || fingerprint(publicKey) !== signature.key) return false;
    return verify(null, Buffer.from(canonicalJson(value)), publicKey, Buffer.from(signature.value, "base64"));
  } catch {
    return false;
  }
}

/** Decoding forgives what encoding never writes; no byte of a certificate may change unnoticed. */
function isExactBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}

function fingerprint(publicKey: KeyObject): string {
  return createHash("sha256").update(publicBytes(publicKey)).digest("hex").slice(0, 32);
}

function publicBytes(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" });
}
