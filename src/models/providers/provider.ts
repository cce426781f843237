import type { ProtocolName } from "../call.ts";

/** Where a provider is reached and how it is paid. */
export interface Provider {
  id: string;
  /** In the order of preference where the client speaks none of them. */
  protocols: readonly ProtocolName[];
  /** Null: there is none, it has to be given. */
  baseUrl: string | null;
  /** A variable of the harness that replaces the address. */
  baseUrlVariable: string | null;
  /** The first one that is set counts. */
  keyVariables: readonly string[];
  /** False: a server of one's own may want none. */
  needsKey: boolean;
  /** Where the key goes, if not where the protocol puts it. */
  authorize?: (key: string) => Record<string, string>;
  /** Its servers copy a protocol whose newer fields they do not know: `max_tokens` it is, and sampling of their own. */
  copies?: true;
  /** Names of the price table begin with it; the model's own name is looked up otherwise. */
  pricePrefix: string;
  /** Calls at a time, and calls a minute; all trials of a group share them. */
  concurrency: number;
  callsPerMinute: number | null;
}
