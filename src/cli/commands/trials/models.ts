import type { Command } from "commander";
import { VERSION } from "../../../grading/version.ts";
import { CHECK_PATIENCE_MS, checkModel } from "../../../models/check.ts";
import { loadModelsFile } from "../../../models/config/load.ts";
import type { Price } from "../../../models/config/schema.ts";
import { withoutLogin } from "../../../models/masking.ts";
import { PRICES, PRICES_AS_OF, PRICES_SOURCE } from "../../../models/prices/table.ts";
import { providers } from "../../../models/providers/providers.ts";
import { keyOf, type ResolvedModel, resolveModel } from "../../../models/resolve.ts";
import { plural } from "../../../wording/counts.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addModelOptions, modelsFileFrom, modelsFileOption } from "../../model-options.ts";
import { parsePort } from "../../options.ts";
import { paint, print, printError, printJson, printNote } from "../../print.ts";
import { serveModels } from "../../serve-models.ts";

interface Options {
  modelsFile?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
A model is named provider:model (anthropic:claude-sonnet-5,
compatible:qwen3@http://127.0.0.1:8000/v1) or by a name of models.yaml;
scripted:<file>, recorded:<cassette>, simulated:<policy> and echo need no
network. See docs/models.md.

Examples:
  $ mlebench models list
  $ mlebench models show openai:gpt-5
  $ mlebench models check anthropic:claude-sonnet-5
  $ mlebench models serve --model echo --port 8080`,
    );
    const place = (sub: Command) =>
      sub.addOption(modelsFileOption()).option("--json", "print the result as JSON").exitOverride();
    place(command.command("list").description("list providers, and the models of models.yaml"))
      .addHelpText("after", "\nExample:\n  $ mlebench models list --json")
      .action(action(list));
    place(command.command("show <name>").description("show how a model would be asked; nothing is contacted"))
      .addHelpText("after", "\nExample:\n  $ mlebench models show openai:gpt-5")
      .action(action(show));
    place(
      command.command("check <name>").description("ask a model for a few tokens: latency, usage, cost, key"),
    )
      .addHelpText(
        "after",
        "\nExit code 1: it did not answer.\n\nExample:\n  $ mlebench models check openai:gpt-5",
      )
      .action(action(check));
    place(command.command("prices").description("show the price table and its date"))
      .addHelpText("after", "\nExample:\n  $ mlebench models prices")
      .action(action(prices));
    addModelOptions(command.command("serve").description("the same gateway, for experiments of your own"))
      .option("--port <n>", "where to listen on 127.0.0.1", parsePort, 0)
      .option("--folder <dir>", "keep ledger and transcripts there")
      .option("--no-token", "let every program of this machine ask")
      .option("--json", "print where it listens as JSON")
      .exitOverride()
      .addHelpText(
        "after",
        "\nEnds with Ctrl-C.\n\nExample:\n  $ mlebench models serve --model openai:gpt-5 --port 8080 --max-cost 1",
      )
      .action(action(serveModels));
  },
};

function list(options: Options): ExitCode {
  const file = loadModelsFile(modelsFileFrom(options.modelsFile));
  if ("code" in file) return fail(file);
  const rows = Object.values(providers).map(({ id, protocols, keyVariables, needsKey }) => ({
    provider: id,
    protocols,
    key: keyVariables.find((name) => process.env[name]) ?? null,
    keyVariables,
    needsKey,
  }));
  const named = Object.entries(file.models).map(([name, { model }]) => ({
    name,
    model: withoutLogin(model),
  }));
  const offline = ["scripted:<file>", "recorded:<cassette>", "simulated:<policy>", "echo"];
  if (options.json) {
    printJson({ providers: rows, models: named, offline });
    return 0;
  }
  print(paint("bold", "providers"));
  for (const { provider, protocols, key, keyVariables, needsKey } of rows) {
    const state =
      key !== null
        ? paint("green", `key in ${key}`)
        : needsKey
          ? `no key (${keyVariables[0]})`
          : "needs no key";
    print(`  ${`${provider}:<model>`.padEnd(22)} ${protocols.join(", ").padEnd(18)} ${state}`);
  }
  print(paint("bold", "without a network"));
  for (const name of offline) print(`  ${name}`);
  if (named.length > 0) print(paint("bold", `named in ${options.modelsFile ?? "models.yaml"}`));
  for (const { name, model } of named) print(`  ${name.padEnd(22)} ${model}`);
  return 0;
}

function show(name: string, options: Options): ExitCode {
  const file = loadModelsFile(modelsFileFrom(options.modelsFile));
  if ("code" in file) return fail(file);
  const found = resolveModel(name, file);
  if ("code" in found) return fail(found);
  const model = found.kind === "remote" ? { ...found, baseUrl: withoutLogin(found.baseUrl) } : found;
  const key = model.kind === "remote" ? keyOf(model) : null;
  const hasKey = key === null ? null : "key" in key;
  if (options.json) printJson({ ...model, hasKey });
  else printModel(model, hasKey);
  return 0;
}

function printModel(model: ResolvedModel, hasKey: boolean | null): void {
  const row = (name: string, value: string) => print(`${paint("bold", name.padEnd(12))} ${value}`);
  row("model", model.name);
  if (model.kind === "offline") {
    row("kind", `${model.offline}; needs no network`);
    return;
  }
  row("provider", model.provider);
  row("asked as", model.id);
  row("address", model.baseUrl);
  row("protocols", model.protocols.join(", "));
  row(
    "key",
    `${model.keyVariables.join(" or ")}: ${hasKey ? "set" : "not set"}${model.needsKey ? "" : ", not needed"}`,
  );
  row("price", model.price === null ? "unknown: costs are null, never 0" : priceText(model.price));
  if (model.priceSource !== null) row("price from", model.priceSource);
  row("context", model.context === null ? "unknown" : `${model.context} tokens`);
  row("sampling", model.sampling ? "takes temperature" : "does not take temperature");
}

/** Whoever sees nothing for longer believes that it hangs. */
const QUIET_MS = 3000;

async function check(name: string, options: Options): Promise<ExitCode> {
  const waiting = setTimeout(
    () =>
      printNote(
        `${withoutLogin(name)} has not answered yet; it has ${CHECK_PATIENCE_MS / 1000} s. Ctrl-C ends it.`,
      ),
    QUIET_MS,
  );
  const result = await checkModel(name, modelsFileFrom(options.modelsFile), {
    mlebenchVersion: VERSION,
  }).finally(() => clearTimeout(waiting));
  if ("code" in result) return fail(result);
  const { call, reply, key } = result;
  const ok = call.outcome === "answered";
  if (options.json) printJson(result);
  else {
    const row = (title: string, value: string) => print(`${paint("bold", title.padEnd(12))} ${value}`);
    row(
      "model",
      `${result.name}${call.modelAnswered === null ? "" : ` (answered by ${call.modelAnswered})`}`,
    );
    row("outcome", ok ? paint("green", "answers") : paint("red", call.problem ?? call.outcome));
    if (reply !== "") row("said", JSON.stringify(reply.slice(0, 200)));
    row("latency", `${Math.round(call.milliseconds.total)} ms, ${plural(call.retries, "retry", "retries")}`);
    if (call.usage !== null)
      row("usage", `${call.usage.inputUncached} in, ${call.usage.output} out (${call.usageSource})`);
    row("cost", call.cost === null ? "unknown" : `$${call.cost}`);
    if (key !== null) row("key", key);
  }
  return ok ? 0 : 1;
}

function prices(options: Options): ExitCode {
  const file = loadModelsFile(modelsFileFrom(options.modelsFile));
  if ("code" in file) return fail(file);
  const rows = Object.entries(PRICES).map(([name, { price, asOf }]) => ({ name, ...price, asOf }));
  if (options.json)
    printJson({ asOf: PRICES_AS_OF, source: PRICES_SOURCE, unit: "USD per million tokens", prices: rows });
  else {
    print(`${PRICES_SOURCE}, ${PRICES_AS_OF} or as stated; USD per million tokens. Others: models.yaml.`);
    for (const { name, asOf, ...price } of rows)
      print(`  ${name.padEnd(22)} ${priceText(price)}${asOf === PRICES_AS_OF ? "" : ` (${asOf})`}`);
  }
  return 0;
}

function priceText({ input, output, cache_read, cache_write, above }: Price): string {
  const cached = cache_read === undefined ? "" : `, cached ${cache_read}`;
  const written = cache_write === undefined ? "" : `, cache written ${cache_write}`;
  const long = above === undefined ? "" : `; above ${above.tokens} tokens ${above.input} and ${above.output}`;
  return `$${input} in, $${output} out${cached}${written}${long}`;
}

function fail({ code, message, nextStep }: { code: string; message: string; nextStep: string }): ExitCode {
  printError(code, message, nextStep);
  return 2;
}
