const COMMANDS = new Set(["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"]);

/** The class of the task that a folder of recordings belongs to: one of ten commands, `silence` or `unknown`. */
export function taskLabel(folder: string): string {
  if (folder === "_background_noise_") return "silence";
  return COMMANDS.has(folder) ? folder : "unknown";
}
