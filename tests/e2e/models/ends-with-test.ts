import { afterEach } from "vitest";

const open: { close(): Promise<unknown> }[] = [];

/** Closed when the test that runs now ends, the last one first. */
export function endsWithTest(...things: { close(): Promise<unknown> }[]): void {
  open.push(...things);
}

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
