import { z } from "zod";

/** The names of the sandboxes, listed here and nowhere else; `kinds.ts` holds what is behind each. */
export const SandboxKind = z.enum(["bubblewrap", "docker", "podman", "process"]);
export type SandboxKind = z.infer<typeof SandboxKind>;

/** Kinds that run images, by a program of the same name. */
export type EngineName = Extract<SandboxKind, "docker" | "podman">;

export function runsImages(kind: SandboxKind): kind is EngineName {
  return kind === "docker" || kind === "podman";
}
