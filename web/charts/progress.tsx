import { operatorColour } from "../../src/analysis/journal/layout.ts";
import type { Search } from "../../src/analysis/journal/search.ts";
import { costText, durationText } from "../format.ts";
import { Chart } from "./figure.tsx";

const WIDTH = 460;
const HEIGHT = 170;
const [LEFT, RIGHT, TOP, BOTTOM] = [54, 450, 12, 140];

/** Values of the steps over time or over cost, and the best so far. */
export function SearchProgress({ search, over }: { search: Search; over: "time" | "cost" }) {
  let spent = 0;
  const points = search.steps.map((step) => {
    spent += step.cost ?? 0;
    return { ...step, x: over === "time" ? step.at : spent };
  });
  const scored = points.filter((point) => point.value !== null && !point.buggy);
  const most = points.at(-1)?.x ?? 0;
  if (scored.length === 0 || most === 0) return null;
  const values = scored.map(({ value }) => value!);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const up = search.direction !== "minimize";
  const x = (value: number) => Number((LEFT + (value / most) * (RIGHT - LEFT)).toFixed(1));
  const y = (value: number) => {
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return Number((BOTTOM - (up ? share : 1 - share) * (BOTTOM - TOP)).toFixed(1));
  };
  const bests = points.filter(({ isBest, value }) => isBest && value !== null);
  const stair =
    bests.map((one, i) => `${i === 0 ? `M${x(one.x)} ` : `H${x(one.x)}V`}${y(one.value!)}`).join("") +
    `H${RIGHT}`;
  const text = over === "time" ? durationText : (value: number) => costText(value);
  return (
    <Chart
      title={`${search.metric ?? "Metric"} over ${over}`}
      csv={() => [
        ["step", over === "time" ? "seconds" : "usd", "operator", "value", "best"],
        ...scored.map((one) => [one.step, one.x, one.operator, one.value, one.isBest ? 1 : 0]),
      ]}
    >
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${scored.length} values over ${over}, from ${low} to ${high}; better is higher up`}
      >
        {[low, high].map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={RIGHT} y1={y(value)} y2={y(value)} />
            <text class="tick" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {Number(value.toPrecision(4))}
            </text>
          </g>
        ))}
        {scored.map((one) => (
          <circle
            key={one.id}
            class={`dust ${operatorColour(one.operator)}`}
            cx={x(one.x)}
            cy={y(one.value!)}
            r={3}
          />
        ))}
        {bests.length > 0 && <path class="stair c0" d={stair} />}
        <text class="tick" x={LEFT} y={HEIGHT - 8}>
          0
        </text>
        <text class="tick" x={RIGHT} y={HEIGHT - 8} text-anchor="end">
          {text(most)}
        </text>
      </svg>
    </Chart>
  );
}
