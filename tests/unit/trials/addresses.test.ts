import { expect, test } from "vitest";
import { leadsHome, plainAddress } from "../../../src/trials/surroundings/addresses.ts";
import { permission } from "../../../src/trials/surroundings/allow-list.ts";

test.each([
  ..."127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254".split(" "),
  ..."100.64.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fd00::1 ff02::1".split(" "),
  ..."::ffff:127.0.0.1 ::ffff:7f00:1 [::1] 0:0:0:0:0:ffff:c0a8:0101 64:ff9b::7f00:1 2002:7f00:1::".split(" "),
])("%s leads back to the machine or its network", (address) => {
  expect(leadsHome(address)).toBe(true);
});

test.each([..."8.8.8.8 172.32.0.1 192.169.0.1 99.1.1.1 2606:4700::1111 ::ffff:8.8.8.8".split(" ")])(
  "%s is out in the world",
  (address) => {
    expect(leadsHome(address)).toBe(false);
  },
);

test("an address of the world leads home where it is the machine's own", () => {
  const own = ["203.0.113.7", "2606:4700::7"];
  for (const address of [...own, "::ffff:203.0.113.7", "[2606:4700:0:0:0:0:0:7]"]) {
    expect(leadsHome(address, own)).toBe(true);
    expect(leadsHome(address, [])).toBe(false);
  }
  expect(leadsHome("203.0.113.8", own)).toBe(false);
});

test("an address has one form", () => {
  expect(["::ffff:7f00:1", "[::FFFF:127.0.0.1]", "127.0.0.1"].map(plainAddress)).toEqual(
    Array(3).fill("127.0.0.1"),
  );
});

test.each([
  ["example.org", "example.org", 443, true, false],
  ["example.org", "EXAMPLE.org.", 80, true, false],
  ["example.org", "example.org", 8080, false, false],
  ["example.org:8080", "example.org", 8080, true, false],
  ["*.example.org", "a.b.example.org", 443, true, false],
  ["*.example.org", "example.org", 443, false, false],
  ["127.0.0.1:99", "[::ffff:127.0.0.1]", 99, true, true],
  ["[::1]:99", "::1", 99, true, true],
  ["::1", "[::1]", 80, true, true],
  ["a:b:c", "a", 80, false, false],
])("the entry %s lets %s:%d through: %s", (entry, host, port, allowed, byAddress) => {
  expect(permission([entry], host, port)).toEqual({ allowed, byAddress });
});
