import { edgePath, layOutTree, operatorColour } from "../../src/analysis/journal/layout.ts";
import type { Search } from "../../src/analysis/journal/search.ts";

/** The tree of a search: colour is the operator, hollow a step that failed, the thick line leads to the best. */
export function TreeChart({
  search,
  chosen,
  onChoose,
}: {
  search: Search;
  chosen: string | null;
  onChoose: (id: string) => void;
}) {
  const { placed, width, height } = layOutTree(search.steps, search.bestPath);
  const best = new Set(search.bestPath);
  const nodes = [...placed.values()];
  // Those on the way to the best come last, so that no other line lies on top of theirs.
  const ordered = nodes.toSorted((a, b) => Number(best.has(a.id)) - Number(best.has(b.id)));
  return (
    <svg
      class="tree"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${search.steps.length} steps of a search, ${search.bestPath.length} of them on the way to the best`}
    >
      {ordered.map((node) => {
        const parent = node.parent === null ? undefined : placed.get(node.parent);
        if (parent === undefined) return null;
        const isBest = best.has(node.id) && best.has(parent.id);
        return <path key={node.id} class={isBest ? "edge best" : "edge"} d={edgePath(parent, node)} />;
      })}
      {nodes.map((node) => (
        <g
          key={node.id}
          class={`node ${operatorColour(node.operator)} ${node.buggy ? "buggy" : ""} ${node.id === chosen ? "chosen" : ""}`}
          onClick={() => onChoose(node.id)}
        >
          <title>{`#${node.step} ${node.operator}: ${node.value ?? node.why ?? "no metric"}`}</title>
          <circle cx={node.x} cy={node.y} r={best.has(node.id) ? 7 : 5.5} />
          {node.value !== null && (
            <text x={node.x + 10} y={node.y + 4} class={node.isBest ? "is-best" : ""}>
              {Number(node.value.toPrecision(4))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
