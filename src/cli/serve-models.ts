import path from "node:path";
import { VERSION } from "../grading/version.ts";
import { recordProblem } from "../models/cassettes/record.ts";
import { modelEnvironment } from "../models/gateway/environment.ts";
import { openRunModels } from "../models/run-models.ts";
import { plural } from "../wording/counts.ts";
import type { Problem } from "../wording/problem.ts";
import type { ExitCode } from "./command.ts";
import { type ModelOptions, modelAccessFrom } from "./model-options.ts";
import { print, printError, printNote } from "./print.ts";

/** By which the clients of all four protocols find it. */
const CLIENTS_VARIABLES = [
  ...["OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"],
  ...["GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"],
];

/** The gateway of a trial, for a person's own experiments, until it is interrupted. */
export async function serveModels(
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
  if (gateway instanceof Error) return fail(whyNotOpened(gateway));
  const port = Number(new URL(gateway.url!).port);
  const environment = modelEnvironment(gateway.models, gateway.token ?? "any", port);
  if (options.json) print(JSON.stringify({ url: gateway.url, token: gateway.token, environment }));
  else {
    print(
      `${gateway.url} serves ${gateway.models.map(({ model }) => model.name).join(", ")}; Ctrl-C ends it.`,
    );
    for (const name of CLIENTS_VARIABLES) print(`  export ${name}=${environment[name]}`);
  }
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await gateway.close();
  const { calls, tokens, cost, complete } = gateway.totals();
  const money = cost === null ? "cost unknown" : `$${cost.toFixed(4)}${complete ? "" : ", incomplete"}`;
  printNote(`${plural(calls, "call")}, ${plural(tokens.total, "token")}, ${money}`);
  return 0;
}

function whyNotOpened(error: NodeJS.ErrnoException): Problem {
  if (error.syscall === "listen")
    return {
      code: "NO_PORT",
      message: `The gateway cannot listen: ${error.message}`,
      nextStep: "give another --port",
    };
  return {
    code: "NO_FOLDER",
    message: `The gateway cannot keep its records: ${error.message}`,
    nextStep: "give another --folder",
  };
}

function fail({ code, message, nextStep }: { code: string; message: string; nextStep: string }): ExitCode {
  printError(code, message, nextStep);
  return 2;
}
