type Check = [field: string, allowed: string, holds: (value: unknown) => boolean];

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const CHECKS: readonly Check[] = [
  ["source", "a string that is not empty", (value) => typeof value === "string" && value !== ""],
  ["teams", "a whole number from 1", (value) => Number.isInteger(value) && (value as number) >= 1],
  ["lowerIsBetter", "true or false", (value) => typeof value === "boolean"],
  ["gold", "a number", isNumber],
  ["silver", "a number", isNumber],
  ["bronze", "a number", isNumber],
  ["median", "a number", isNumber],
  [
    "quantiles",
    "a list of 101 numbers, from best to worst",
    (value) => Array.isArray(value) && value.length === 101 && value.every(isNumber),
  ],
];

/**
 * What is wrong with a board, one sentence each, with the field, the value and what is allowed. By hand, since grading
 * reads a board each time and loading a schema library would cost more than the grading itself.
 */
export function boardProblems(value: unknown): string[] {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return ["the whole is not an object; see docs/add-a-competition.md"];
  const board = value as Record<string, unknown>;
  const problems = CHECKS.filter(([field, , holds]) => !holds(board[field])).map(([field, allowed]) =>
    field in board
      ? `${field} is ${shortText(board[field])}; allowed is ${allowed}`
      : `${field} is missing; allowed is ${allowed}`,
  );
  return problems.length > 0 ? problems : orderProblems(board);
}

function orderProblems(board: Record<string, unknown>): string[] {
  const { gold, silver, bronze, quantiles, lowerIsBetter } = board;
  const sign = lowerIsBetter ? 1 : -1;
  const bestFirst = (scores: readonly number[]) =>
    scores.every((score, i) => i === 0 || sign * (score - scores[i - 1]) >= 0);
  const better = lowerIsBetter ? "lower" : "higher";
  return [
    ...(bestFirst([gold, silver, bronze] as number[])
      ? []
      : [
          `gold ${gold}, silver ${silver}, bronze ${bronze} are not from best to worst, where ${better} is better`,
        ]),
    ...(bestFirst(quantiles as number[])
      ? []
      : [`quantiles do not run from best to worst, where ${better} is better`]),
  ];
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
