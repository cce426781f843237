import { z } from "zod";
import {
  CONDITIONAL_CALLS,
  NAMESPACE_FLAGS,
  REFUSED_CALLS,
  SOCKET_FAMILIES,
  TERMINAL_REQUESTS,
} from "./refused.ts";

interface Condition {
  index: number;
  value: number;
  valueTwo?: number;
  op: "SCMP_CMP_EQ" | "SCMP_CMP_MASKED_EQ";
}

const Rule = z.looseObject({ names: z.array(z.string()) });
/** An engine's own profile: what it does not allow is refused. */
const EngineProfile = z.looseObject({
  defaultAction: z.enum(["SCMP_ACT_ERRNO", "SCMP_ACT_KILL", "SCMP_ACT_KILL_PROCESS"]),
  syscalls: z.array(Rule),
  architectures: z.array(z.string()).optional(),
  archMap: z.array(z.looseObject({ architecture: z.string() })).nullish(),
});

/** 32-bit calls have other names for the same things, such as `socketcall`. */
const NARROW_ARCHITECTURES = ["SCMP_ARCH_X86", "SCMP_ARCH_X32", "SCMP_ARCH_ARM"];

const LOW_HALF = 0xffffffff;
/** As many as the kernel has, and some. */
const MAX_FAMILIES = 64;

/**
 * The same refusals as the filter's, as a profile for a container engine. `base`: the text of the engine's own, which
 * is only ever narrowed; without one (docker keeps it to itself) everything that is not refused is allowed.
 */
export function engineProfile(base: string | null): string {
  const parsed = base === null ? null : EngineProfile.safeParse(parse(base));
  const refused = REFUSED_CALLS.map(({ name, errno }) => rule("SCMP_ACT_ERRNO", name, [], errno));
  if (!parsed?.success)
    return JSON.stringify({
      defaultAction: "SCMP_ACT_ALLOW",
      syscalls: [...refused, ...refusedConditionally()],
    });
  const ours = new Set([...REFUSED_CALLS.map(({ name }) => name), ...Object.keys(CONDITIONAL_CALLS)]);
  const kept = parsed.data.syscalls
    .map((each) => ({ ...each, names: each.names.filter((name) => !ours.has(name)) }))
    .filter(({ names }) => names.length > 0);
  const { architectures, archMap } = parsed.data;
  return JSON.stringify({
    ...parsed.data,
    ...(architectures && {
      architectures: architectures.filter((name) => !NARROW_ARCHITECTURES.includes(name)),
    }),
    ...(archMap && { archMap: archMap.map((entry) => ({ ...entry, subArchitectures: [] })) }),
    syscalls: [...kept, ...refused, ...allowedConditionally()],
  });
}

function rule(action: string, name: string, args: readonly Condition[], errnoRet?: number) {
  return { names: [name], action, args, ...(errnoRet === undefined ? {} : { errnoRet }) };
}

const masked = (index: number, mask: number, value: number): Condition => ({
  ...{ index, value: mask, valueTwo: value, op: "SCMP_CMP_MASKED_EQ" },
});

/** Several rules for one call: the first that fits decides, and one that fits none is refused. */
function allowedConditionally() {
  const allow = (name: string, condition: Condition) => rule("SCMP_ACT_ALLOW", name, [condition]);
  return [
    ...(["socket", "socketpair"] as const).flatMap((name) =>
      SOCKET_FAMILIES.map((family) => allow(name, { index: 0, value: family, op: "SCMP_CMP_EQ" })),
    ),
    allow("clone", masked(0, NAMESPACE_FLAGS, 0)),
    ...anythingBut(TERMINAL_REQUESTS).map(([mask, value]) => allow("ioctl", masked(1, mask, value))),
  ];
}

function refusedConditionally() {
  const { socket, ioctl, clone } = CONDITIONAL_CALLS;
  const others = Array.from({ length: MAX_FAMILIES }, (_, family) => family).filter(
    (family) => !(SOCKET_FAMILIES as readonly number[]).includes(family),
  );
  const namespaceFlags = Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter(
    (flag) => Math.floor(NAMESPACE_FLAGS / flag) % 2 === 1,
  );
  return [
    ...["socket", "socketpair"].flatMap((name) =>
      others.map((family) => rule("SCMP_ACT_ERRNO", name, [masked(0, LOW_HALF, family)], socket.errno)),
    ),
    ...TERMINAL_REQUESTS.map((request) =>
      rule("SCMP_ACT_ERRNO", "ioctl", [masked(1, LOW_HALF, request)], ioctl.errno),
    ),
    ...namespaceFlags.map((flag) => rule("SCMP_ACT_ERRNO", "clone", [masked(0, flag, flag)], clone.errno)),
  ];
}

/**
 * Masks and values of which one fits every 32-bit number but the given two. There is no "masked and different", and
 * the kernel ignores the upper half of the argument, so "different" alone could be fooled.
 */
function anythingBut([one, other]: readonly [number, number]): [mask: number, value: number][] {
  const differing = one ^ other;
  const bits = Array.from({ length: 32 }, (_, bit) => 2 ** bit);
  const bitOf = (value: number, bit: number) => Math.floor(value / bit) % 2;
  const agreed = bits
    .filter((bit) => bitOf(differing, bit) === 0)
    .map((bit): [number, number] => [bit, bitOf(one, bit) === 1 ? 0 : bit]);
  const open = bits.filter((bit) => bitOf(differing, bit) === 1);
  const combinations = Array.from({ length: 2 ** open.length }, (_, choice) =>
    open.reduce((sum, bit, at) => sum + bitOf(choice, 2 ** at) * bit, 0),
  );
  const taken = [one & differing, other & differing];
  return [
    ...agreed,
    ...combinations
      .filter((value) => !taken.includes(value))
      .map((value): [number, number] => [differing, value]),
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
