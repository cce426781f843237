import type { Node } from "web-tree-sitter";
import { type CommandOption, shorten } from "./outline.ts";

const DECLARES = /(^|\.)(add_argument|option|argument|Option|Argument)$/;
const MAX_HELP = 120;

/** The command-line option that a call of argparse, click or typer declares. */
export function optionOf(callee: string, call: Node): CommandOption | null {
  if (!DECLARES.test(callee)) return null;
  const list = call.childForFieldName("arguments")?.namedChildren ?? [];
  const names: string[] = [];
  let help = "";
  for (const argument of list) {
    if (!argument) continue;
    if (argument.type === "string") names.push(plainString(argument.text));
    else if (argument.type === "keyword_argument" && argument.childForFieldName("name")?.text === "help")
      help = shorten(plainString(argument.childForFieldName("value")?.text ?? ""), MAX_HELP);
  }
  const name = names.find((text) => text.startsWith("--")) ?? names[0];
  return name && /^[\w-]{1,60}$/.test(name) ? { name, help } : null;
}

const plainString = (text: string) =>
  text.replace(/^[a-zA-Z]*("""|'''|"|')/, "").replace(/("""|'''|"|')$/, "");
