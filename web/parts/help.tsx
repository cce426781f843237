import { useEffect, useRef } from "preact/hooks";
import { helpOpen } from "../state/keys.ts";

const KEYS = [
  ["/", "search on this page"],
  ["j  k", "next and previous trial, row or call"],
  ["Enter", "open what is marked"],
  ["u", "up: from a trial to its group, from a group to the runs"],
  ["?", "this help"],
  ["Esc", "close, or leave the search"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="keys-help">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split("  ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (helpOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}
