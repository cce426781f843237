import type { AskModel } from "../../agents/kit/model-client.ts";
import { disguiseText, wordsOf } from "../../data/disguise/text.ts";
import { randomInteger, seededRandom } from "../../learning/seeded-random.ts";

export interface NamingResult {
  /** Whether the answer has the competition's id or title; null when the model did not answer. */
  named: boolean | null;
  answer: string;
}

/** Shows a description without names, and asks which competition it is. A model that knows remembers. */
export async function askForName(
  ask: AskModel,
  { id, title, description }: { id: string; title: string; description: string },
): Promise<NamingResult> {
  const text = disguiseText(description, { words: wordsOf(id, title), columns: new Map(), files: new Map() });
  const answer = await ask(
    [
      {
        role: "user",
        content: `Which public machine-learning competition is this? Answer with its exact title and nothing else; answer "unknown" if you cannot tell.\n\n${text}`,
      },
    ],
    [],
  );
  if (answer.status !== "answered") return { named: null, answer: answer.message };
  return { named: isNamed(answer.text, id, title), answer: answer.text.slice(0, 500) };
}

function isNamed(answer: string, id: string, title: string): boolean {
  const said = plain(answer);
  return [id, title].some((name) => said.includes(plain(name)));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export interface RowsResult {
  asked: number;
  /** Rows that came back exactly. */
  exact: number;
  /** How often one would come back by drawing rows of the table at random. */
  chance: number;
  /** How likely so many are by chance alone. */
  p: number;
}

const SHOWN = 5;

/** Shows some rows of a table and asks for the next one, word for word. Only what was learnt by heart comes back. */
export async function askForRows(
  ask: AskModel,
  lines: readonly string[],
  { count, seed }: { count: number; seed: number },
): Promise<RowsResult | null> {
  const [header, ...rows] = lines;
  if (rows.length <= SHOWN) return null;
  const random = seededRandom(seed);
  const often = new Map<string, number>();
  for (const row of rows) often.set(row.trim(), (often.get(row.trim()) ?? 0) + 1);
  let [asked, exact, chance] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const at = SHOWN + randomInteger(random, rows.length - SHOWN);
    const answer = await ask(
      [
        {
          role: "user",
          content: `These are lines of a public data file. Write the one line that comes next in the file, exactly as it is there, and nothing else.\n\n${header}\n${rows.slice(at - SHOWN, at).join("\n")}`,
        },
      ],
      [],
    );
    if (answer.status !== "answered") continue;
    asked++;
    chance += often.get(rows[at].trim())! / rows.length;
    if (answer.text.trim().split("\n")[0]?.trim() === rows[at].trim()) exact++;
  }
  if (asked === 0) return null;
  return { asked, exact, chance: chance / asked, p: atLeast(exact, asked, chance / asked) };
}

/** P(X ≥ k) of a binomial variable. */
export function atLeast(k: number, n: number, p: number): number {
  let [term, below] = [(1 - p) ** n, 0];
  for (let i = 0; i < k; i++) {
    below += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.max(0, Math.min(1, 1 - below));
}
