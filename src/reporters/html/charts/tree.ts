import { edgePath, layOutTree, operatorColour } from "../../../analysis/journal/layout.ts";
import type { Search } from "../../../analysis/journal/search.ts";
import { html, type Markup, NOTHING } from "../markup.ts";

/** A search's tree as the viewer draws it, standing still; of a long search the first steps and the way to the best. */
export function treeChart(search: Search, maxSteps: number): Markup {
  const best = new Set(search.bestPath);
  const { placed, width, height } = layOutTree(
    search.steps.filter(({ id }, i) => i < maxSteps || best.has(id)),
    search.bestPath,
  );
  const nodes = [...placed.values()];
  // Those on the way to the best come last, so that no other lies on top of them.
  const ordered = nodes.toSorted((a, b) => Number(best.has(a.id)) - Number(best.has(b.id)));
  const edges = ordered.map((node) => {
    const parent = node.parent === null ? undefined : placed.get(node.parent);
    if (parent === undefined) return NOTHING;
    const kind = best.has(node.id) && best.has(parent.id) ? "edge best" : "edge";
    return html`<path class="${kind}" d="${edgePath(parent, node)}"/>`;
  });
  const marks = nodes.map(
    (node) =>
      html`<g class="node ${operatorColour(node.operator)}${node.buggy ? " buggy" : ""}"><title>#${node.step} ${node.operator.slice(0, 60)}: ${node.value ?? node.why?.slice(0, 60) ?? "no metric"}</title><circle cx="${node.x}" cy="${node.y}" r="${best.has(node.id) ? 7 : 5.5}"/>${
        node.value === null
          ? null
          : html`<text x="${node.x + 10}" y="${node.y + 4}"${node.isBest ? html` class="is-best"` : null}>${Number(node.value.toPrecision(4))}</text>`
      }</g>`,
  );
  return html`<svg class="tree" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${search.steps.length} steps of a search, ${best.size} of them on the way to the best">${edges}${marks}</svg>`;
}
