import { useEffect, useState } from "preact/hooks";
import { follow } from "./follow.ts";
import { load } from "./load.ts";

export interface Growing<Item> {
  items: Item[];
  failed: string | null;
  /** False until the first part has come. */
  ready: boolean;
}

interface Part {
  next: number;
  more: boolean;
}

/** Lines of a file of a trial as they are written: each is asked for once, from where the last part ended. */
export function useGrowing<P extends Part, Item>(
  name: string,
  group: string,
  trial: string,
  itemsOf: (part: P) => Item[],
  wanted = true,
): Growing<Item> {
  const [state, setState] = useState<Growing<Item>>({ items: [], failed: null, ready: false });
  useEffect(() => {
    if (!wanted) return;
    let next = 0;
    return follow(group, trial, {
      async read(isCurrent) {
        const part = await load<P>(name, { group, trial, ...(next > 0 ? { from: String(next) } : {}) });
        if (!isCurrent()) return false;
        const fresh = itemsOf(part);
        // What was replaced by something shorter is read anew.
        if (part.next < next || next === 0) setState({ items: fresh, failed: null, ready: true });
        else if (fresh.length > 0)
          setState(({ items }) => ({ items: [...items, ...fresh], failed: null, ready: true }));
        next = part.next;
        return part.more;
      },
      failed: (failed) => setState(({ items }) => ({ items, failed, ready: true })),
    });
  }, [name, group, trial, wanted]);
  return state;
}
