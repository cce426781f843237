import { isIP, isIPv6 } from "node:net";
import { plainAddress } from "./addresses.ts";

export interface Permission {
  allowed: boolean;
  /** The list names this very address, so that it may be one of the machine's own. */
  byAddress: boolean;
}

/**
 * Whether an allow-list lets a host and port through. An entry is `example.org`, `*.example.org` for everything below
 * it, or an address, each with or without `:port`; without one, ports 80 and 443 are meant.
 */
export function permission(entries: readonly string[], host: string, port: number): Permission {
  const wanted = normal(host);
  const matching = entries.map(parseEntry).filter((entry) => {
    if (entry.port === null ? port !== 80 && port !== 443 : port !== entry.port) return false;
    return entry.name.startsWith("*.") ? wanted.endsWith(entry.name.slice(1)) : wanted === entry.name;
  });
  return { allowed: matching.length > 0, byAddress: matching.some(({ name }) => isIP(name) !== 0) };
}

function parseEntry(entry: string): { name: string; port: number | null } {
  if (isIPv6(entry)) return { name: normal(entry), port: null };
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry.toLowerCase());
  if (match === null) return { name: "", port: 0 };
  return { name: normal(match[1]!), port: match[2] === undefined ? null : Number(match[2]) };
}

/** `example.org.` is `example.org`; an address has one form. */
function normal(host: string): string {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, "");
  return isIP(bare) !== 0 ? plainAddress(bare) : bare.replace(/\.$/, "");
}
