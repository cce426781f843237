import fs from "node:fs";
import { fileURLToPath } from "node:url";

declare const __VIEWER_FOLDER__: string | undefined;
// In the bundle this module lies elsewhere; from source there is what the last build made.
const FOLDER = new URL(
  typeof __VIEWER_FOLDER__ === "undefined" ? "../../dist/viewer/" : __VIEWER_FOLDER__,
  import.meta.url,
);

const FILES: Readonly<Record<string, { name: string; type: string }>> = {
  "/": { name: "index.html", type: "text/html; charset=utf-8" },
  "/app.js": { name: "app.js", type: "text/javascript; charset=utf-8" },
  "/app.css": { name: "app.css", type: "text/css; charset=utf-8" },
};

/** One of the few files the front end consists of; null for every other address. */
export function viewerFile(pathname: string): { path: string; type: string } | null {
  if (!Object.hasOwn(FILES, pathname)) return null;
  const { name, type } = FILES[pathname];
  return { path: fileURLToPath(new URL(name, FOLDER)), type };
}

/** One of them as text. */
export function frontEnd(name: "index.html" | "app.js" | "app.css" | "LICENSES.txt"): string {
  return fs.readFileSync(new URL(name, FOLDER), "utf8");
}
