import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { createKey, keysFolder, readFingerprint } from "../../../trials/certificate/signing.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { print, printError, printJson } from "../../print.ts";

type Options = { name: string; folder: string; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
A key signs certificates (mlebench run --sign). Give the .pub file away, keep
the .key file to yourself.

Examples:
  $ mlebench keys create
  $ mlebench keys list`,
    );
    const place = (sub: Command) =>
      sub
        .option("--folder <dir>", "where the keys lie", keysFolder())
        .option("--json", "print the result as JSON")
        .exitOverride();
    place(command.command("create").description("make an Ed25519 key"))
      .option("--name <name>", "what to call it", "default")
      .action(action(create));
    place(command.command("list").description("list your keys and their fingerprints")).action(action(list));
  },
};

function create({ name, folder, json }: Options): ExitCode {
  if (path.basename(name) !== name) {
    printError("BAD_NAME", `"${name}" is not a name for a file.`);
    return 2;
  }
  const created = createKey(path.resolve(folder), name);
  if (created.status === "exists") {
    printError(
      "KEY_EXISTS",
      `${created.key} is there already; a key is never replaced.`,
      "choose another --name",
    );
    return 2;
  }
  if (json) printJson(created);
  else {
    print(`key ${created.fingerprint}`);
    print(`  yours alone:  ${created.key}`);
    print(`  to give away: ${created.publicKey}`);
  }
  return 0;
}

function list({ folder, json }: Options): ExitCode {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith(".pub")) : [];
  const keys = files.map((file) => ({
    name: path.basename(file, ".pub"),
    fingerprint: readFingerprint(path.join(folder, file)),
  }));
  if (json) printJson({ folder, keys });
  else if (keys.length === 0) print(`There are no keys in ${folder}.`);
  else for (const { name, fingerprint } of keys) print(`${fingerprint ?? "unreadable"}  ${name}`);
  return 0;
}
