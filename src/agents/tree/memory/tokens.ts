/** Characters / 3.6: what the ledger's own estimate uses where there is no tokenizer. */
const CHARACTERS_PER_TOKEN = 3.6;

export const estimateTokens = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** The beginning and the end of a text that is too long. */
export function cutMiddle(text: string, maxTokens: number): string {
  const most = Math.floor(maxTokens * CHARACTERS_PER_TOKEN);
  if (text.length <= most) return text;
  const half = Math.floor((most - 60) / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}

/** As the original trims what a script printed: 2,500 characters of each end once it is longer than 5,100. */
export function trimOutput(output: string): string {
  if (output.length <= 5100) return output;
  return `${output.slice(0, 2500)}\n[… ${output.length - 5000} characters left out …]\n${output.slice(-2500)}`;
}
