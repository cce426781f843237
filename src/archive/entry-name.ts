export type EntryName = { path: string; folder: boolean } | { problem: string };

// Linux' PATH_MAX; a longer name could not be opened anyway.
const longestName = 4096;

/**
 * The relative path an entry may be written to, with empty and "." parts dropped as Python drops them. Anything that
 * could leave the target on any system is refused, not repaired: a repaired name would silently hide an attack.
 */
export function checkEntryName(name: string): EntryName {
  if (name.includes("\0")) return { problem: "has a NUL in its name" };
  if (name.includes("\\")) return { problem: "has a backslash in its name" };
  if (name.startsWith("/")) return { problem: "has an absolute path" };
  if (/^[a-z]:/i.test(name)) return { problem: "has a drive letter in its name" };
  if (name.length > longestName) return { problem: "has a name too long to be a path" };
  const parts = name.split("/");
  if (parts.includes("..")) return { problem: "leaves the target folder by '..'" };
  const kept = parts.filter((part) => part !== "" && part !== ".");
  if (name === "") return { problem: "has no name" };
  const last = parts[parts.length - 1];
  return { path: kept.join("/"), folder: last === "" || last === "." };
}
