import { createHash } from "node:crypto";
import { maskText } from "../wording/secrets.ts";
import { frontEnd } from "./page.ts";
import type { Ask } from "./routes/route.ts";
import { inScripts, keyOf, scriptText } from "./script-text.ts";

export interface OnePage {
  title: string;
  /** What there is instead of the many pages, and what a reader should know of it. */
  only: { tree: { group: string; trial: string } } | { standings: true };
  note: string;
  /** The answers the page asks for, each as `pageData` makes it. */
  data: readonly string[];
  /** Escaped markup for whoever runs no scripts. */
  plain?: string;
  /** Values that must not appear anywhere. */
  secrets: readonly string[];
}

/** One answer as a part of a script. */
export function pageData(name: string, ask: Ask, value: unknown): string {
  return `[${scriptText(keyOf(name, ask))},${scriptText(value)}]`;
}

/** One page of the viewer as a file that needs nothing else; its own policy lets it load nothing. */
export function onePage({ title, only, note, data, plain = "", ...page }: OnePage): string {
  const secrets = inScripts(page.secrets);
  const head = `globalThis.mlebenchExport=${scriptText({ files: {}, note, ...only })};`;
  // The front end defines what takes the data, and draws when it has been started; both are there by then.
  const inside = `globalThis.mlebenchInside=[${data.join(",")}];`;
  const scripts = [maskText(`${head}${inside}`, secrets), insideMarkup(frontEnd("app.js"))];
  const hashes = scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  const policy = `default-src 'none'; script-src ${hashes.join(" ")}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  const replaced: [string, string][] = [
    [
      '<meta name="viewport"',
      `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="viewport"`,
    ],
    ["<title>mlebench</title>", `<title>${escaped(maskText(title, secrets))}</title>`],
    ['<link rel="stylesheet" href="app.css">', `<style>${frontEnd("app.css")}</style>`],
    ['<div id="app"></div>', `<div id="app">${maskText(plain, secrets)}</div>`],
    ['<script src="app.js"></script>', scripts.map((text) => `<script>${text}</script>`).join("\n")],
  ];
  // By a function: a dollar sign in what is put in must not mean anything.
  return replaced.reduce((text, [from, to]) => text.replace(from, () => to), frontEnd("index.html"));
}

/** Nothing of a script may look like its end, or like a comment of the page around it. */
function insideMarkup(script: string): string {
  return script.replace(/<(?=!--|\/?script)/gi, "\\x3c");
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
