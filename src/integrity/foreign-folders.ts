import fs from "node:fs";
import path from "node:path";

const STORES = /^(site-packages|dist-packages|node_modules|__pycache__|\.git|conda-meta)$/;
/** What stands in a virtual environment, of Python's own or of conda. */
const ENVIRONMENT = ["pyvenv.cfg", "conda-meta"];

/**
 * Whether a folder holds packages of others, or the history of some repository. A virtual environment says so itself; a
 * folder that is only called `env`, or that is hidden, is one of the agent's own.
 */
export function isForeign(parent: string, name: string): boolean {
  return STORES.test(name) || ENVIRONMENT.some((sign) => fs.existsSync(path.join(parent, name, sign)));
}
