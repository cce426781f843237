/** What a description says about the public files: its code spans read as path patterns, and its words. */
export interface DescribedFiles {
  /**
   * How a path is described: `named` when a pattern spells its last segment at least in part, `wildcard` when only
   * a bare `*` or a whole folder covers it, null when nothing does.
   */
  covers(path: string): "named" | "wildcard" | null;
  /** Whether the section uses a word, in any case. */
  mentions(word: string): boolean;
  /** Whether the section spells a file's name out, be it in plain text. */
  quotes(name: string): boolean;
}

/**
 * Reads the Files section of a `description.md`. Null when there is none, or when it names no path: then nothing can
 * be said about what it leaves out. `<text>` and `*` stand for any text in one segment, `**` for any depth, a final
 * `/` for the whole folder.
 */
export function readDescribedFiles(description: string): DescribedFiles | null {
  const section = /^##\s+Files\s*$([\s\S]*?)(?=^##\s|(?![\s\S]))/m.exec(description)?.[1];
  if (section === undefined) return null;
  const spans = [...section.matchAll(/`([^`]+)`/g)].map(([, span]) => span);
  const patterns = spans
    .filter((span) => /[./]/.test(span))
    .map((span) => ({ ...pathPattern(span), bare: isBare(span) }));
  if (patterns.length === 0) return null;
  const words = new Set(section.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return {
    covers(path) {
      const matching = patterns.filter(({ regex }) => regex.test(path));
      if (matching.some(({ bare }) => !bare)) return "named";
      return matching.length > 0 ? "wildcard" : null;
    },
    quotes: (name) => section.includes(name),
    mentions: (word) => words.has(word.toLowerCase()),
  };
}

/** Also matches what lies inside an archive that is named as a whole. */
function pathPattern(span: string): { regex: RegExp } {
  const source = span
    .replace(/<[^<>]+>/g, "*")
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*|\*/g, (star) => (star === "**" ? ".+" : "[^/]+"));
  const below = span.endsWith("/") ? ".+" : "(?:/.+)?";
  return { regex: new RegExp(`^${source}${below}$`) };
}

function isBare(span: string): boolean {
  const last = span.split("/").at(-1)!;
  return last === "" || /^(?:\*+|<[^<>]+>)$/.test(last);
}
