import { readJson } from "../../../table/json/reader.ts";
import type { JsonValue } from "../../../table/json/value.ts";
import { type AnswerColumn, isSize, readWholeCells } from "../answers.ts";
import type { AuditContext } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import type { TestItem } from "../test-items.ts";
import { readableText } from "./file-text.ts";
import { cellNumber } from "./plain-cell.ts";
import { spread } from "./public-files.ts";

const ANNOTATION =
  /"(?:coordinates|polygons?|segmentations?|annotations?|geometry|rle|masks?|bbox)"\s*:|"type"\s*:\s*"Feature"/i;
const MAX_FILES = 50;

interface Verdict {
  item: TestItem;
  /** Share of outline points on the mask; null when that cannot be computed. */
  fit: { own: number; mirrored: number } | null;
}

/**
 * JSON files of single test items that hold outlines or other annotations. Where the answers are masks and the size
 * of the picture is known, the outlines are laid on the mask: only those that fit it are a leak.
 */
export function findAnnotations({ items, answers, targets, limits, omit }: AuditContext): Finding[] {
  const json = items.filter(({ file }) => file.location !== null && /\.(geo)?json$/i.test(file.path));
  const chosen = spread(json, MAX_FILES);
  if (chosen.length < json.length)
    omit({
      file: json[0].rest,
      reason: `of ${json.length} files ${chosen.length} were searched for annotations`,
    });
  const annotated = chosen
    .map((item) => ({ item, text: readableText(item.file, limits) }))
    .filter(({ text }) => ANNOTATION.test(text));
  if (annotated.length === 0) return [];
  const mask = targets.find(({ cells }) => cells.some((cell) => isRunLengthText(cell)));
  if (mask === undefined) return [annotationFinding(annotated[0].item, annotated.length, "warning", null)];

  const masks = readWholeCells(answers!, mask.name, new Set(annotated.map(({ item }) => item.row)));
  const sizes = [...answers!.columns.values()].filter(({ name }) => isSize(name));
  const verdicts = annotated.map(
    ({ item, text }): Verdict => ({
      item,
      fit: fitOf(text, masks.get(item.row) ?? "", sizes, item.row),
    }),
  );
  const fitting = verdicts.filter(({ fit }) => fit !== null && fit.own >= 0.9 && fit.mirrored <= 0.5);
  const unknown = verdicts.filter(({ fit }) => fit === null);
  const findings: Finding[] = [];
  if (fitting.length > 0)
    findings.push(annotationFinding(fitting[0].item, fitting.length, "leak", fitting[0].fit));
  if (unknown.length > 0) findings.push(annotationFinding(unknown[0].item, unknown.length, "leak", null));
  const others = verdicts.length - fitting.length - unknown.length;
  if (others > 0) {
    const other = verdicts.find((verdict) => !fitting.includes(verdict) && !unknown.includes(verdict))!;
    findings.push(annotationFinding(other.item, others, "warning", other.fit));
  }
  return findings;
}

function fitOf(text: string, runs: string, sizes: AnswerColumn[], row: number): Verdict["fit"] {
  const size = (word: RegExp) => cellNumber(sizes.find(({ name }) => word.test(name))?.cells[row] ?? "");
  const [width, height] = [size(/width/i), size(/height/i)];
  if (!(width > 0) || !(height > 0)) return null;
  const points = outlinePoints(text);
  return points.length === 0 ? null : outlineFit(points, runs, width, height);
}

function annotationFinding(
  { file, rest }: TestItem,
  count: number,
  severity: "leak" | "warning",
  fit: Verdict["fit"],
): Finding {
  const measured =
    fit === null
      ? "could not be compared with the answers"
      : `lie on the mask to ${(fit.own * 100).toFixed(1)} %`;
  const mirrored = fit === null ? "" : ` (mirrored: ${(fit.mirrored * 100).toFixed(1)} %)`;
  return {
    check: "answers-in-files",
    severity,
    file: file.path,
    evidence: {
      what: `${count} files such as ${rest} annotate items of the test set; their outlines ${measured}${mirrored}`,
      ...(fit === null ? {} : { figure: fit.own }),
      measuredOn: count,
    },
    message:
      severity === "leak"
        ? "Annotations of test items are public and give their masks."
        : "Annotations of test items are public; they do not give the answers as far as could be measured.",
    nextStep: `Look at ${file.path}; leave such files out of public/ unless the task means them to be there.`,
  };
}

type Point = readonly [x: number, y: number];

const MAX_POINTS = 4000;

/** Whether a cell is a mask as pairs of start and length. */
function isRunLengthText(cell: string): boolean {
  return /^\d+ \d+(?: \d+ \d+)+ ?\d*$/.test(cell.trim());
}

/** Every pair of numbers in a JSON text that is a member of a list of such pairs, in either order of nesting. */
function outlinePoints(text: string): Point[] {
  const outcome = readJson(text);
  const points: Point[] = [];
  if (outcome.ok) collect(outcome.value, points);
  if (points.length <= MAX_POINTS) return points;
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, i) => i % step === 0);
}

function collect(value: JsonValue, points: Point[]): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value) && value.length > 0 && value.every(isPair)) {
    for (const [x, y] of value) points.push([Number(x), Number(y)]);
    return;
  }
  for (const inner of value.values()) collect(inner, points);
}

function isPair(value: JsonValue): value is (number | bigint)[] {
  const isNumber = (item: JsonValue) => typeof item === "number" || typeof item === "bigint";
  return Array.isArray(value) && value.length === 2 && value.every(isNumber);
}

/**
 * The share of outline points that lie on the mask or next to it, and the same for the outline turned by 180°, which
 * is what chance gives. Runs count down the columns, as is the custom, or along the rows: the better fit counts.
 */
function outlineFit(
  points: readonly Point[],
  runs: string,
  width: number,
  height: number,
): { own: number; mirrored: number } {
  const numbers = runs.trim().split(/\s+/).map(Number);
  const starts = Float64Array.from(numbers.filter((_, i) => i % 2 === 0));
  const ends = starts.map((start, i) => start + (numbers[2 * i + 1] ?? 0));
  const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b]);
  const inMask = (position: number) => {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[order[middle]] <= position) low = middle + 1;
      else high = middle;
    }
    return low > 0 && position < ends[order[low - 1]];
  };
  const layouts = [(x: number, y: number) => x * height + y + 1, (x: number, y: number) => y * width + x + 1];
  const fits = layouts.map((at) => {
    const touches = ([x, y]: Point) =>
      NEIGHBOURS.some(([dx, dy]) => {
        const [column, row] = [Math.round(x) + dx, Math.round(y) + dy];
        return column >= 0 && row >= 0 && column < width && row < height && inMask(at(column, row));
      });
    const share = (chosen: readonly Point[]) => chosen.filter(touches).length / chosen.length;
    return {
      own: share(points),
      mirrored: share(points.map(([x, y]) => [width - 1 - x, height - 1 - y] as const)),
    };
  });
  return fits[0].own - fits[0].mirrored >= fits[1].own - fits[1].mirrored ? fits[0] : fits[1];
}

const NEIGHBOURS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));
