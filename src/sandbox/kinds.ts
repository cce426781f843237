import { bubblewrap } from "./bubblewrap/bubblewrap.ts";
import { docker, podman } from "./container/container.ts";
import type { SandboxKind } from "./kind.ts";
import { process } from "./process/process.ts";
import type { Sandbox } from "./sandbox.ts";

/** Every kind of sandbox there is; the option `--sandbox` takes these names. */
export const sandboxes = { bubblewrap, docker, podman, process } as const satisfies Record<
  SandboxKind,
  Sandbox
>;
