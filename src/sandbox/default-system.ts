import { findEngine, runEngine } from "./container/engine.ts";
import { builtEnvironment, environmentImage } from "./container/environment.ts";
import type { SandboxKind } from "./kind.ts";

/** Where an agent's system files come from; neither: the host's own, read-only. */
export interface AgentSystem {
  rootFolder: string | null;
  image: string | null;
}

/** The system an agent gets when nobody names one: the heaviest that `env build` has made for this kind of sandbox. */
export async function defaultSystem(kind: SandboxKind): Promise<AgentSystem> {
  if (kind === "bubblewrap") return { rootFolder: builtEnvironment()?.folder ?? null, image: null };
  if (kind === "process") return { rootFolder: null, image: null };
  const found = await findEngine(kind);
  if (found.status === "missing") return { rootFolder: null, image: null };
  for (const weight of ["heavy", "light"] as const) {
    const image = environmentImage(weight);
    const asked = [...found.engine.globalOptions, "image", "inspect", "--format", "{{.Id}}", image];
    if ((await runEngine(kind, asked)).code === 0) return { rootFolder: null, image };
  }
  return { rootFolder: null, image: null };
}
