import { signal } from "@preact/signals";

const KEY = "mlebench-theme";
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

/** Storage may be refused to a page from disk. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const dark = signal(isDark());

function isDark(): boolean {
  const chosen = stored();
  return chosen === null ? system.matches : chosen === "dark";
}

export function startTheme(): void {
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  system.addEventListener("change", () => {
    dark.value = isDark();
  });
}

export function switchTheme(): void {
  dark.value = !dark.value;
  root.dataset.theme = dark.value ? "dark" : "light";
  try {
    localStorage.setItem(KEY, root.dataset.theme);
  } catch {
    // It holds for this page then.
  }
}
