import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

/** A chart with its name; it can be taken along as SVG, its data as CSV. */
export function Chart({
  title,
  note,
  csv,
  children,
}: {
  title: string;
  note?: ComponentChildren;
  csv: () => (string | number | null)[][];
  children: ComponentChildren;
}) {
  const figure = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState("");
  const copy = async (kind: "SVG" | "CSV") => {
    const svg = figure.current?.querySelector("svg");
    const done = kind === "CSV" ? await take(csvText(csv())) : svg ? await take(svg) : false;
    setCopied(done ? `${kind} copied` : `${kind} could not be copied`);
    setTimeout(() => setCopied(""), 2000);
  };
  return (
    <figure class="chart-figure" ref={figure}>
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="chart-tools">
          <span role="status" class="soft small">
            {copied}
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() => void copy("SVG")}
            aria-label={`Copy ${title} as SVG`}
          >
            SVG
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => void copy("CSV")}
            aria-label={`Copy the data of ${title} as CSV`}
          >
            CSV
          </button>
        </span>
      </figcaption>
      {children}
      {note && <p class="note">{note}</p>}
    </figure>
  );
}

export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null) => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Puts a chart or its data on the clipboard. */
export function take(what: SVGSVGElement | string): Promise<boolean> {
  return toClipboard(typeof what === "string" ? what : svgText(what));
}

/** The clipboard may be closed to a page from disk; an invisible field still opens it. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-size",
  "font-family",
  "font-weight",
] as const;

/** A chart of the page as a file of its own: colours that come from the page's style sheet are written into it. */
function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [i, element] of from.entries()) {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
  }
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  if (box.width > 0) {
    copy.setAttribute("width", String(box.width));
    copy.setAttribute("height", String(box.height));
  }
  return new XMLSerializer().serializeToString(copy);
}
