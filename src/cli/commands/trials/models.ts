import path from "node:path";
import type { Command } from "commander";
import { VERSION } from "../../../grading/version.ts";
import { recordProblem } from "../../../models/cassettes/record.ts";
import { checkModel } from "../../../models/check.ts";
import { loadModelsFile } from "../../../models/config/load.ts";
import type { Price } from "../../../models/config/schema.ts";
import { modelEnvironment } from "../../../models/gateway/environment.ts";
import { withoutLogin } from "../../../models/masking.ts";
import { PRICES, PRICES_AS_OF, PRICES_SOURCE } from "../../../models/prices/table.ts";
import { providers } from "../../../models/providers/providers.ts";
import { keyOf, type ResolvedModel, resolveModel } from "../../../models/resolve.ts";
import { openRunModels } from "../../../models/run-models.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import {
  addModelOptions,
  type ModelOptions,
  modelAccessFrom,
  modelsFileFrom,
  modelsFileOption,
} from "../../model-options.ts";
import { parsePort } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";

interface Options {
  modelsFile?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
A model is named provider:model (anthropic:claude-sonnet-5, compatible:qwen3@http://127.0.0.1:8000/v1) or by a name of
models.yaml; scripted:<file>, recorded:<cassette>, simulated:<policy> and echo need no network. See docs/models.md.

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
      .action(action(serve));
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

async function check(name: string, options: Options): Promise<ExitCode> {
  const result = await checkModel(name, modelsFileFrom(options.modelsFile), { mlebenchVersion: VERSION });
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
    row("latency", `${Math.round(call.milliseconds.total)} ms, ${call.retries} retries`);
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
  const rows = Object.entries(PRICES).map(([name, { price }]) => ({ name, ...price }));
  if (options.json)
    printJson({ asOf: PRICES_AS_OF, source: PRICES_SOURCE, unit: "USD per million tokens", prices: rows });
  else {
    print(`${PRICES_SOURCE}, ${PRICES_AS_OF}; USD per million tokens. Others: models.yaml.`);
    for (const { name, ...price } of rows) print(`  ${name.padEnd(20)} ${priceText(price)}`);
  }
  return 0;
}

function priceText({ input, output, cache_read, cache_write, above }: Price): string {
  const cached = cache_read === undefined ? "" : `, cached ${cache_read}`;
  const written = cache_write === undefined ? "" : `, cache written ${cache_write}`;
  const long = above === undefined ? "" : `; above ${above.tokens} tokens ${above.input} and ${above.output}`;
  return `$${input} in, $${output} out${cached}${written}${long}`;
}

async function serve(
  options: ModelOptions & { port: number; folder?: string; token: boolean; json?: boolean },
): Promise<ExitCode> {
  const roles = options.model;
  if (roles === undefined)
    return fail({ code: "NO_MODEL", message: "No model was named.", nextStep: "name one: --model echo" });
  const access = modelAccessFrom(options);
  const wrong = access.record === null ? null : recordProblem(access.record);
  if (wrong !== null) return fail(wrong);
  const models = await openRunModels({ ...access, roles }, { mlebenchVersion: VERSION });
  if ("code" in models) return fail(models);
  const gateway = await models
    .openGateway({
      listen: { port: options.port, host: "127.0.0.1" },
      folder: options.folder === undefined ? null : path.resolve(options.folder),
      lane: "serve",
      seed: 0,
      places: [],
      remainingMs: Number.POSITIVE_INFINITY,
      secrets: models.keys(),
      withToken: options.token,
    })
    .catch((error: Error) => error);
  if (gateway instanceof Error)
    return fail({
      code: "NO_PORT",
      message: `The gateway cannot listen: ${gateway.message}`,
      nextStep: "give another --port",
    });
  const port = Number(new URL(gateway.url!).port);
  const environment = modelEnvironment(gateway.models, gateway.token ?? "any", port);
  if (options.json) print(JSON.stringify({ url: gateway.url, token: gateway.token, environment }));
  else {
    print(
      `${gateway.url} serves ${gateway.models.map(({ model }) => model.name).join(", ")}; Ctrl-C ends it.`,
    );
    for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"])
      print(`  export ${name}=${environment[name]}`);
  }
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await gateway.close();
  const { calls, tokens, cost, complete } = gateway.totals();
  const money = cost === null ? "cost unknown" : `$${cost.toFixed(4)}${complete ? "" : ", incomplete"}`;
  process.stderr.write(`${calls} calls, ${tokens.total} tokens, ${money}\n`);
  return 0;
}

function fail({ code, message, nextStep }: { code: string; message: string; nextStep: string }): ExitCode {
  printError(code, message, nextStep);
  return 2;
}
