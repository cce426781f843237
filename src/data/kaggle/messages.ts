export const tokenPage = "https://www.kaggle.com/settings/api";
const verificationPage = "https://www.kaggle.com/settings";
const again = "Run the same command again.";

/** What each failure means to the reader: who has to act, whether trying again can help, and the usual next step. */
const kinds = {
  NO_CREDENTIALS: { blame: "user", retryable: false, next: "" },
  MALFORMED_CREDENTIALS: { blame: "user", retryable: false, next: "" },
  BAD_CREDENTIALS: {
    blame: "user",
    retryable: false,
    next: `Make a new token at ${tokenPage} and put it in its place.`,
  },
  BAD_ADDRESS: {
    blame: "user",
    retryable: false,
    next: "Unset MLEBENCH_KAGGLE_URL, or set it to an https address.",
  },
  RULES_NOT_ACCEPTED: { blame: "user", retryable: false, next: "" },
  PHONE_NOT_VERIFIED: {
    blame: "user",
    retryable: false,
    next: `Sign in, verify your phone number at ${verificationPage}, then run the same command again.`,
  },
  FORBIDDEN: { blame: "user", retryable: false, next: "" },
  NOT_FOUND: {
    blame: "task",
    retryable: false,
    next: "Check the competition's name; if Kaggle has taken it down, give your own copy with --raw.",
  },
  RATE_LIMITED: { blame: "host", retryable: true, next: `Wait a while. ${again}` },
  SERVER_ERROR: { blame: "host", retryable: true, next: `Wait a while. ${again}` },
  UNREACHABLE: { blame: "host", retryable: true, next: `Check the network connection. ${again}` },
  CERTIFICATE: {
    blame: "host",
    retryable: false,
    next: "Check the clock; behind a company proxy, name its certificate in NODE_EXTRA_CA_CERTS.",
  },
  STALLED: { blame: "host", retryable: true, next: `${again} It goes on where it stopped.` },
  TRUNCATED: { blame: "host", retryable: true, next: `${again} It goes on where it stopped.` },
  LINK_REFUSED: { blame: "host", retryable: true, next: again },
  CHECKSUM: { blame: "host", retryable: true, next: `${again} It starts over.` },
  ARCHIVE_DIFFERS: { blame: "task", retryable: false, next: "" },
  UNEXPECTED_ANSWER: {
    blame: "harness",
    retryable: false,
    next: "Download it in a browser and give the file with --raw; please report this answer.",
  },
  DISK_FULL: {
    blame: "host",
    retryable: true,
    next: `Free some space or choose another folder with --data-dir. ${again} It goes on where it stopped.`,
  },
  DISK_FAILED: { blame: "host", retryable: true, next: `Check the folder's permissions. ${again}` },
  BAD_LEADERBOARD: {
    blame: "task",
    retryable: false,
    next: "The leaderboard you had, if any, is untouched; the package's own figures are used without one.",
  },
  BAD_NOTEBOOK: { blame: "task", retryable: false, next: "The other notebooks are not affected." },
  INTERRUPTED: { blame: "user", retryable: true, next: `${again} It goes on where it stopped.` },
} as const;

export type KaggleProblemCode = keyof typeof kinds;

/** Why something was not got from Kaggle. `message` is one sentence, `next` what to do about it; neither holds a secret. */
export type KaggleProblem = {
  status: "failed";
  code: KaggleProblemCode;
  /** Null where no single competition is concerned. */
  competition: string | null;
  blame: "user" | "host" | "task" | "harness";
  /** Whether the same command, run again later, may succeed without anything being changed. */
  retryable: boolean;
  message: string;
  next: string;
  /** The one page to open, where there is one. */
  page: string | null;
  /** How long the server asked us to wait, if it did. */
  retryAfterMs: number | null;
};

type Details = { next?: string; page?: string; retryAfterMs?: number | null };

/** Builds a failure of a kind; `cause` is a sentence without its full stop. */
export function kaggleProblem(
  code: KaggleProblemCode,
  competition: string | null,
  cause: string,
  details: Details = {},
): KaggleProblem {
  const { blame, retryable, next } = kinds[code];
  return {
    status: "failed",
    code,
    competition,
    blame,
    retryable,
    message: `${competition === null ? "" : `${competition}: `}${cause}.`,
    next: details.next ?? next,
    page: details.page ?? null,
    retryAfterMs: details.retryAfterMs ?? null,
  };
}

function rulesPage(competition: string): string {
  return `https://www.kaggle.com/c/${encodeURIComponent(competition)}/rules`;
}

/** The refusal most people meet first; it leads to the one page that ends it. */
export function rulesNotAccepted(competition: string): KaggleProblem {
  const page = rulesPage(competition);
  return kaggleProblem("RULES_NOT_ACCEPTED", competition, "your Kaggle account has not accepted its rules", {
    next: `Sign in, open ${page} and accept them (if there is no button there, try the competition's Data tab), then run the same command again.`,
    page,
  });
}

/** Some competitions are open only to accounts with a verified phone number, whoever accepted their rules. */
export function phoneNotVerified(competition: string | null): KaggleProblem {
  const cause = "Kaggle wants your account verified by phone first";
  return kaggleProblem("PHONE_NOT_VERIFIED", competition, cause, { page: verificationPage });
}

/** A refusal Kaggle does not explain. It answers so to a misspelt name as well as to somebody who has not joined. */
export function refusedWithoutReason(competition: string | null, said: string): KaggleProblem {
  const quoted = said === "" ? "without saying why" : `(${said})`;
  if (competition === null) {
    return kaggleProblem("FORBIDDEN", null, `Kaggle refuses the request ${quoted}`, {
      next: `Check that the token made at ${tokenPage} may read competitions.`,
    });
  }
  const page = rulesPage(competition);
  return kaggleProblem("FORBIDDEN", competition, `Kaggle refuses access ${quoted}`, {
    next: `Check the competition's name, accept its rules at ${page}, and verify your account at ${verificationPage}.`,
    page,
  });
}

/** Text from a server, fit for a sentence on a terminal: one line, no control characters, not long. */
export function plainText(text: string, longest = 200): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  const short = line.length > longest ? `${line.slice(0, longest)}…` : line;
  return short.replace(/\.$/, "");
}
