import type { Evidence } from "../../findings/schema.ts";
import type { CodeFile } from "../code-view.ts";
import { finding, type Rule } from "../rule.ts";
import { shellCommands, withoutDocuments } from "../shell-commands.ts";

const INPUT = /(?:^|[/\\])kaggle\/input\/([\w-]+)/;
const FETCH = /\bkaggle\s+(datasets|kernels|models)\b|\bkagglehub\.\w+|huggingface\.co\/datasets\//;

/** Programs that look whether something is there, print, or take packages from there. */
const HARMLESS = /^(echo|printf|ls|test|\[+|stat|du|df|mkdir|pip\d?|uv|conda|cd)$/;

/** What commands read. */
const words = (shell: string) =>
  shellCommands(withoutDocuments(shell)).flatMap((command) =>
    HARMLESS.test(command.program) ? [] : command.words,
  );

/** A path that is only offered as the default of an option is not read. */
const isDefault = ({ calls }: CodeFile, line: number) =>
  calls.some(
    (call) => call.line === line && /(^|\.)(add_argument|add_option|option|Option)$/.test(call.callee),
  );

/** Data sets, papers or solutions that the run did not mount: `/home/materials` without any, another `/kaggle/input`. */
export const materialNotGiven: Rule = (view) => {
  const evidence: Evidence[] = [];
  const mounted = view.record?.materials != null;
  const isForeign = (value: string) => {
    const input = INPUT.exec(value)?.[1];
    if (input !== undefined) return input !== view.competitionId;
    return /^\/home\/materials(\/|$)/.test(value) && !mounted;
  };
  for (const file of view.code) {
    // A path that is only used where it exists does nothing elsewhere.
    const guarded = file.calls.some(
      ({ callee, text }) =>
        /(exists|isdir|is_dir|file\.exists)$/.test(callee) && /kaggle\/input|materials/.test(text),
    );
    for (const { value, line, text } of file.strings)
      if (!guarded && isForeign(value) && !isDefault(file, line))
        evidence.push({ file: file.name, line, quotation: text });
    for (const { line, text } of file.shell)
      if (words(text).some(isForeign)) evidence.push({ file: file.name, line, quotation: text });
    for (const { line, text } of [...file.shell, ...file.calls])
      if (FETCH.test(text)) evidence.push({ file: file.name, line, quotation: text });
  }
  for (const { file, line, text } of view.commands)
    if (FETCH.test(text) || words(text).some(isForeign)) evidence.push({ file, line, quotation: text });
  return finding(evidence, "suspicious", "It reads materials that the run did not give it.");
};
