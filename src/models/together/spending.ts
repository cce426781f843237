import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { usualSilence } from "../../files/lock-file.ts";
import { isOfThisMachine, isStale } from "../../files/lock-record.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readPlainText } from "../../files/plain-file.ts";
import { processStart, thisMachineId } from "../../files/process-identity.ts";
import { type Account, nothing, type SharedAccounts, type Spending, sumOf } from "../budget.ts";
import { turnsIn } from "./turns.ts";

const Amounts = z.object({ cost: z.number(), tokens: z.number(), calls: z.number() });

/** One process's account: what it has spent since it joined, and holds. `moves` counts up while it holds anything. */
const Entry = z.object({
  schema: z.literal("mlebench/spending"),
  version: z.literal(1),
  host: z.string(),
  pid: z.int(),
  started: z.string().nullable(),
  machine: z.string().nullable(),
  moves: z.int(),
  spent: Amounts,
  reserved: Amounts,
});
type Entry = z.infer<typeof Entry>;

/** What those have spent who have ended, and what was spent before anybody joined. */
const Total = z.object({
  schema: z.literal("mlebench/spending-total"),
  version: z.literal(1),
  spent: Amounts,
});

const BEAT_MS = 2000;
/** Whoever cannot say goodbye leaves an account that counts all the same. */
const MAX_GOODBYE_MS = 10_000;

/**
 * The accounts of all processes that run trials of one group, as files in a folder they share: one for each, which only it
 * writes, and a turn for decisions. What a dead process held is given back; what it has spent stays spent. A folder that cannot
 * be used for a moment leaves each process with what it knows.
 */
export function shareSpending(folder: string, spentBefore: () => Spending): SharedAccounts {
  const name = `${process.pid}-${randomBytes(6).toString("hex")}.json`;
  const own = path.join(folder, name);
  const total = path.join(folder, "total.json");
  const takeTurn = turnsIn(folder, "spending-lock");
  const watched = new Map<string, { mark: string; since: number }>();
  let mine: Account = { spent: nothing(), reserved: nothing() };
  let joined = false;
  /** What of ours stands in the total, from before we left the last time. */
  let settled = nothing();
  let known: Account = { spent: nothing(), reserved: nothing() };
  let moves = 0;
  let beating: NodeJS.Timeout | undefined;

  function read(): Account {
    const others: Account = { spent: minus(readTotal(total) ?? nothing(), settled), reserved: nothing() };
    for (const [file, entry] of entriesIn(folder)) {
      if (file === name) continue;
      others.spent = sumOf(others.spent, entry.spent);
      if (entry.reserved.calls > 0 && lives(file, entry))
        others.reserved = sumOf(others.reserved, entry.reserved);
    }
    return others;
  }

  /** By its process where that can be asked, else by whether its counter moves. */
  function lives(file: string, entry: Entry): boolean {
    if (isOfThisMachine(entry)) return !isStale(entry);
    const mark = `${entry.moves} ${JSON.stringify(entry.reserved)}`;
    const seen = watched.get(file);
    if (seen?.mark !== mark) watched.set(file, { mark, since: performance.now() });
    else if (performance.now() - seen.since > usualSilence()) return false;
    return true;
  }

  /** Within a turn. Where nobody else is left, the ledgers say what was spent. */
  function join(): void {
    const others = entriesIn(folder).filter(([file]) => file !== name);
    const isAlone = others.every(([, entry]) => isOfThisMachine(entry) && isStale(entry));
    if (isAlone) for (const [file] of others) fs.rmSync(path.join(folder, file), { force: true });
    if (isAlone || !fs.existsSync(total)) {
      const { cost, tokens, calls } = spentBefore();
      writeTotal(total, { cost: cost ?? 0, tokens, calls });
    }
    joined = true;
    write();
  }

  /** Within a turn: its own account becomes part of the total. The last one tidies up: the ledgers say it all. */
  function settle(): void {
    if (!joined) return;
    const isLast = entriesIn(folder).every(([file]) => file === name);
    if (isLast) fs.rmSync(folder, { recursive: true, force: true });
    else {
      writeTotal(total, sumOf(readTotal(total) ?? nothing(), minus(mine.spent, settled)));
      fs.rmSync(own, { force: true });
    }
    settled = mine.spent;
    joined = false;
  }

  function write(): void {
    const entry: Entry = {
      schema: "mlebench/spending",
      version: 1,
      host: os.hostname(),
      pid: process.pid,
      started: processStart(process.pid),
      machine: thisMachineId(),
      moves: moves++,
      spent: minus(mine.spent, settled),
      reserved: mine.reserved,
    };
    writeFile(own, entry);
  }

  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };

  return {
    async turn(signal) {
      const over = await takeTurn(signal);
      attempt(() => {
        if (!joined) join();
        known = read();
      }, undefined);
      return { others: known, over };
    },
    now() {
      if (fs.existsSync(total)) known = attempt(read, known);
      else {
        const { cost, tokens, calls } = spentBefore();
        known = { spent: minus({ cost: cost ?? 0, tokens, calls }, mine.spent), reserved: nothing() };
      }
      return known;
    },
    tell(account) {
      mine = { spent: { ...account.spent }, reserved: { ...account.reserved } };
      attempt(write, undefined);
      const holds = account.reserved.calls > 0;
      if (holds && beating === undefined) {
        beating = setInterval(() => attempt(write, undefined), BEAT_MS);
        beating.unref();
      } else if (!holds) {
        clearInterval(beating);
        beating = undefined;
      }
    },
    async leave() {
      const over = await takeTurn(AbortSignal.timeout(MAX_GOODBYE_MS)).catch(() => null);
      if (over === null) return;
      attempt(settle, undefined);
      over();
    },
  };
}

function minus(amounts: Account["spent"], less: Account["spent"]): Account["spent"] {
  return {
    cost: Math.max(0, amounts.cost - less.cost),
    tokens: Math.max(0, amounts.tokens - less.tokens),
    calls: Math.max(0, amounts.calls - less.calls),
  };
}

function entriesIn(folder: string): [string, Entry][] {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(".json") && file !== "total.json")
    .flatMap((file): [string, Entry][] => {
      const entry = readAs(Entry, path.join(folder, file));
      return entry === null ? [] : [[file, entry]];
    });
}

function readTotal(file: string): Account["spent"] | null {
  return readAs(Total, file)?.spent ?? null;
}

function writeTotal(file: string, spent: Account["spent"]): void {
  writeFile(file, { schema: "mlebench/spending-total", version: 1, spent } satisfies z.infer<typeof Total>);
}

function readAs<T>(schema: z.ZodType<T>, file: string): T | null {
  try {
    return schema.parse(JSON.parse(readPlainText(file)));
  } catch {
    return null;
  }
}

/** Renamed, so that nobody reads half of it, and never flushed: the ledgers are what counts after a crash. */
function writeFile(file: string, content: Entry | z.infer<typeof Total>): void {
  makeFolder(path.dirname(file));
  const draft = `${file}.tmp`;
  fs.writeFileSync(draft, `${JSON.stringify(content)}\n`);
  fs.renameSync(draft, file);
}
