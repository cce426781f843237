import { useEffect, useRef } from "preact/hooks";
import { csvText, take } from "../charts/figure.tsx";

type Cells = readonly (readonly (string | number | null)[])[];

/**
 * Markup that the harness made, escaped there: the report's own parts. Charts in it get the same two buttons as ours.
 */
export function Drawn({ markup, csv }: { markup: string; csv: Cells }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const charts = box.current?.querySelectorAll<SVGSVGElement>("svg.chart") ?? [];
    for (const svg of charts) {
      const tools = document.createElement("span");
      tools.className = "chart-tools drawn-tools";
      for (const kind of ["SVG", "CSV"] as const) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet";
        button.textContent = kind;
        button.setAttribute("aria-label", `Copy ${kind === "SVG" ? "the chart" : "its data"} as ${kind}`);
        button.addEventListener("click", async () => {
          const done = await take(kind === "SVG" ? svg : csvText(rowsOf(svg, csv)));
          button.textContent = done ? "copied" : "failed";
          setTimeout(() => {
            button.textContent = kind;
          }, 1500);
        });
        tools.append(button);
      }
      svg.after(tools);
    }
  }, [markup]);
  return <div ref={box} dangerouslySetInnerHTML={{ __html: markup }} />;
}

/** A chart on a card that is about one competition draws that one's rows. */
function rowsOf(svg: SVGSVGElement, csv: Cells): Cells {
  const about = svg.closest("article")?.querySelector("h3")?.textContent;
  const column = csv[0]?.indexOf("competition") ?? -1;
  const own = column === -1 ? [] : csv.slice(1).filter((row) => row[column] === about);
  return own.length === 0 ? csv : [csv[0], ...own];
}
