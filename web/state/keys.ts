import { signal } from "@preact/signals";

export const helpOpen = signal(false);

/** What a page, and a part of it above that, does with a key: the last one that knows it counts. */
const layers: Record<string, () => void>[] = [];

/** To be called in a layout effect: whoever sees a page presses a key, and other effects come after the painting. */
export function onKeys(own: Record<string, () => void>): () => void {
  layers.push(own);
  return () => void layers.splice(layers.indexOf(own), 1);
}

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement | null;
    const typing = target !== null && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key === "Escape") {
      if (helpOpen.value) helpOpen.value = false;
      else if (typing) target.blur();
      return;
    }
    if (typing) return;
    // A button or link that has the focus takes Enter for itself.
    if (event.key === "Enter" && target !== null && /^(A|BUTTON|SUMMARY)$/.test(target.tagName)) return;
    if (event.key === "?") helpOpen.value = !helpOpen.value;
    else if (event.key === "/") {
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (search === null) return;
      search.focus();
      search.select();
    } else {
      const layer = layers.findLast((one) => Object.hasOwn(one, event.key));
      if (layer === undefined) return;
      layer[event.key]();
    }
    event.preventDefault();
  });
}
