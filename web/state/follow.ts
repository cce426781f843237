import { listen, ofTrial } from "./live.ts";
import { exported } from "./load.ts";

interface Reader {
  /** Reads the next part; says whether more is there already. After the page has moved on, `isCurrent` is false. */
  read(isCurrent: () => boolean): Promise<boolean>;
  failed(message: string): void;
}

/** Reads on whenever the trial has changed, one part at a time, until the returned function is called. */
export function follow(group: string, trial: string, { read, failed }: Reader): () => void {
  let current = true;
  let busy = false;
  let again = false;
  const isCurrent = () => current;
  const readOn = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      try {
        if ((await read(isCurrent)) && exported === null) again = true;
      } catch (error) {
        if (current) failed((error as Error).message);
      }
    } while (again && current);
    busy = false;
  };
  void readOn();
  const concerns = ofTrial(group, trial);
  const stop = exported === null ? listen((change) => concerns(change) && void readOn()) : () => {};
  return () => {
    current = false;
    stop();
  };
}
