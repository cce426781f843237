import { type Draw, drawDifferent, drawFrom } from "../making/draw.ts";
import type { Solution } from "../making/field.ts";

/** Solutions of one kind with settings at random; `offset` keeps the kinds of a field apart. */
export type Variants<T> = (count: number, offset: number, make: (draw: Draw) => T) => Solution[];

export function variantsOf<T>(seed: number, solution: (named: T) => Solution): Variants<T> {
  return (count, offset, make) => {
    const draw = drawFrom(seed + offset);
    return drawDifferent(count, () => solution(make(draw)));
  };
}
