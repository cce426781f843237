import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskText, secretMasker } from "../../../src/wording/secrets.ts";

/** What comes out when a text arrives in pieces. */
function inPieces(pieces: readonly string[], secrets: readonly string[]): string {
  const masker = secretMasker(secrets);
  return Buffer.concat([...pieces.map((piece) => masker.push(Buffer.from(piece))), masker.end()]).toString();
}

describe("a stream with secrets", () => {
  test("is masked the same however it is cut", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });
    const secret = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        letters,
        fc.array(secret, { maxLength: 3 }),
        fc.array(fc.nat(60)),
        (text, secrets, cuts) => {
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
          const masked = inPieces(pieces, secrets);
          expect(masked).toBe(inPieces([text], secrets));
          for (const each of secrets) expect(masked).not.toContain(each);
        },
      ),
    );
  });

  test("lets everything else through, byte for byte, and holds back no more than it must", () => {
    const masker = secretMasker(["secret"]);
    expect(masker.push(Buffer.from("no sec")).toString()).toBe("no ");
    expect(masker.push(Buffer.from("ond")).toString()).toBe("second");
    expect(masker.push(Buffer.from([0xff, 0, 0xfe]))).toEqual(Buffer.from([0xff, 0, 0xfe]));
    expect(masker.push(Buffer.from("s")).toString()).toBe("");
    expect(masker.end().toString()).toBe("s");
  });

  test("prefers the longer of two that begin alike, also when its end comes later", () => {
    expect(inPieces(["key", "-long!"], ["key", "key-long"])).toBe("***!");
    expect(inPieces(["key", " short"], ["key", "key-long"])).toBe("*** short");
  });

  test("is masked inside JSON and in addresses too", () => {
    const secret = 'a"b\\c/d e\nf';
    const text = `${secret} ${JSON.stringify({ secret })} ?key=${encodeURIComponent(secret)}`;
    expect(inPieces([text], [secret])).toBe('*** {"secret":"***"} ?key=***');
    expect(maskText(text, [secret])).toBe('*** {"secret":"***"} ?key=***');
  });

  test("without secrets, or with an empty one, is what it was", () => {
    expect(inPieces(["any", "thing"], [])).toBe("anything");
    expect(inPieces(["any", "thing"], [""])).toBe("anything");
  });
});
