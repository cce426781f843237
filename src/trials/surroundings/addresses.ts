import { BlockList, isIP, isIPv6 } from "node:net";
import os from "node:os";

/**
 * Addresses that lead back to the harness's own machine or into the network it stands in: this host, link-local (the
 * metadata of a cloud among them), private, carrier's and multicast ones. An allow-list names hosts of the world; one
 * of these must be listed by its address, so that nobody's name server can open it.
 */
const OWN = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  OWN.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  OWN.addSubnet(address, prefix, "ipv6");

/** `ofMachine`: a machine may have an address of the world, under which it answers itself, too. */
export function leadsHome(address: string, ofMachine = machineAddresses()): boolean {
  const plain = plainAddress(address);
  return (
    OWN.check(plain, isIPv6(plain) ? "ipv6" : "ipv4") || ofMachine.some((own) => plainAddress(own) === plain)
  );
}

function machineAddresses(): string[] {
  return Object.values(os.networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

/** One way of writing an address: without brackets and zone, an IPv4 address that wears IPv6 as itself. */
export function plainAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const mapped = /^(?:0{0,4}:){0,5}:?(?:ffff:)?((?:\d{1,3}\.){3}\d{1,3})$/i.exec(bare)?.[1];
  if (mapped !== undefined && isIP(mapped) === 4) return mapped;
  if (!isIPv6(bare)) return bare;
  // The URL parser writes an IPv6 address in its shortest form.
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const words = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (words === null) return short;
  const [high, low] = [Number.parseInt(words[1]!, 16), Number.parseInt(words[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
