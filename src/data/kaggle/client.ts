import { defaultPace, type Pace } from "./backoff.ts";
import { authorization, type Credentials } from "./credentials.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";

const KAGGLE_URL_VARIABLE = "MLEBENCH_KAGGLE_URL";
const officialAddress = "https://www.kaggle.com/api/v1/";
const localNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What every request needs. A value, not a connection: nothing has to be closed. */
export type KaggleClient = {
  status: "ready";
  base: URL;
  authorization: string;
  /** Where the credentials came from, for the message when Kaggle does not accept them. */
  credentialsSource: string;
  /** A connection on which nothing arrives for so long is given up. */
  stallMs: number;
  pace: Pace;
};

export type ClientOptions = {
  /** The API's address; the environment's MLEBENCH_KAGGLE_URL or Kaggle's own by default. */
  address?: string;
  stallMs?: number;
  pace?: Partial<Pace>;
};

/** A client for these credentials. Refused for an address that would carry them over a network unencrypted. */
export function createKaggleClient(
  credentials: Credentials,
  options: ClientOptions = {},
): KaggleClient | KaggleProblem {
  const address = options.address ?? (process.env[KAGGLE_URL_VARIABLE] || officialAddress);
  const base = URL.canParse(address) ? new URL(address.endsWith("/") ? address : `${address}/`) : null;
  if (base === null || !["https:", "http:"].includes(base.protocol)) {
    return kaggleProblem("BAD_ADDRESS", null, `${JSON.stringify(address)} is not a web address`);
  }
  if (base.protocol === "http:" && !localNames.has(base.hostname)) {
    return kaggleProblem("BAD_ADDRESS", null, `${base.origin} would get your credentials unencrypted`);
  }
  return {
    status: "ready",
    base,
    authorization: authorization(credentials),
    credentialsSource: credentials.source,
    stallMs: options.stallMs ?? 60_000,
    pace: { ...defaultPace, ...options.pace },
  };
}
