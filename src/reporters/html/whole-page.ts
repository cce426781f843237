import { createHash } from "node:crypto";
import { html, type Markup, trusted } from "./markup.ts";

/**
 * One HTML file that needs nothing else: no network, no other file. Its own policy forbids it to load or run anything
 * but its one script, if it has one, so that a hostile name could do nothing even if it got through unescaped.
 */
export function wholePage(parts: { title: string; styles: string; body: Markup; script?: string }): string {
  const { title, styles, body, script } = parts;
  const hash = script === undefined ? null : createHash("sha256").update(script).digest("base64");
  const scripts = hash === null ? "" : `script-src 'sha256-${hash}'; `;
  const policy = `default-src 'none'; style-src 'unsafe-inline'; ${scripts}img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(styles)}</style>
</head>
<body>
${body}
${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`.markup;
}
