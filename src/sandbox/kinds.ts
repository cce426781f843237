import { bubblewrap } from "./bubblewrap/bubblewrap.ts";
import { docker, podman } from "./container/container.ts";
import { process } from "./process/process.ts";

/** Every kind of sandbox there is; the option `--sandbox` takes these names. */
export const sandboxes = { bubblewrap, docker, podman, process } as const;

export type SandboxKind = keyof typeof sandboxes;
