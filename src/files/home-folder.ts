import os from "node:os";

/**
 * The user's home. A user whom nobody has written down, as in containers with a number for a user, has none: what is
 * looked for there is then not found, and what is written there fails with the place's name.
 */
export function homeFolder(): string {
  try {
    return os.homedir();
  } catch {
    return "/nonexistent";
  }
}
