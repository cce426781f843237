import fs from "node:fs";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import { type Check, mustBe } from "./check.ts";

/** What an agent must be able to read and write, and what it must not. */
export function fileChecks(contract: AgentContract): Check[] {
  const { data, submission, logs, code, agent, home } = contract;
  return [
    ...privatePlaces(data).map(unreadable),
    dataReadable(data),
    notWritable("data-not-writable", data),
    ...Object.entries({ submission, logs, code, agent }).map(([name, folder]) =>
      writable(`${name}-writable`, folder),
    ),
    ...["instructions.txt", "validate_submission.sh"].map((name) => readable(path.join(home, name))),
    descriptionReadable(contract),
  ];
}

/** Where the answers lie in the original, and where they would lie if the data were mounted whole. */
function privatePlaces(data: string): string[] {
  const prepared = path.dirname(data);
  return ["/private", ...["private", "raw", "prepared/private"].map((name) => path.join(prepared, name))];
}

function unreadable(folder: string): Check {
  try {
    const names = fs.readdirSync(folder);
    return mustBe(`no-private-data ${folder}`, false, `it can be read: ${names.slice(0, 5).join(", ")}`);
  } catch (error) {
    return mustBe(`no-private-data ${folder}`, true, (error as NodeJS.ErrnoException).code ?? "");
  }
}

function dataReadable(data: string): Check {
  try {
    const names = fs.readdirSync(data);
    const first = names.find((name) => fs.statSync(path.join(data, name)).isFile());
    if (first !== undefined) fs.closeSync(fs.openSync(path.join(data, first), "r"));
    return mustBe(
      "data-readable",
      names.length > 0,
      `${names.length} entries: ${names.slice(0, 8).join(", ")}`,
    );
  } catch (error) {
    return mustBe("data-readable", false, (error as Error).message);
  }
}

function notWritable(name: string, folder: string): Check {
  const problem = tryToWrite(folder);
  return mustBe(name, problem !== null, problem ?? `a file could be made in ${folder}`);
}

function writable(name: string, folder: string): Check {
  const problem = tryToWrite(folder);
  return mustBe(name, problem === null, problem ?? folder);
}

function tryToWrite(folder: string): string | null {
  const file = path.join(folder, ".dummy-was-here");
  try {
    fs.writeFileSync(file, "");
    fs.rmSync(file);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function readable(file: string): Check {
  const name = `readable ${path.basename(file)}`;
  try {
    return mustBe(name, true, `${fs.readFileSync(file).length} bytes`);
  } catch (error) {
    return mustBe(name, false, (error as Error).message);
  }
}

function descriptionReadable({ data, home }: AgentContract): Check {
  const file = [data, home].map((folder) => path.join(folder, "description.md")).find(fs.existsSync);
  return mustBe("description", file !== undefined, file ?? "there is no description.md");
}
