import { Option } from "commander";
import { buildEnvironment } from "../../../sandbox/container/build-environment.ts";
import { checkEnvironment, type EnvironmentFindings } from "../../../sandbox/container/check-environment.ts";
import { defaultSystem } from "../../../sandbox/default-system.ts";
import { SandboxKind } from "../../../sandbox/kind.ts";
import { sizeText } from "../../../wording/sizes.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { collectFolders } from "../../options.ts";
import { paint, print, printError, printJson, printNote } from "../../print.ts";
import { parseWhole } from "../../run-options.ts";

interface BuildOptions {
  heavy?: boolean;
  into?: string;
  json?: boolean;
}

interface CheckOptions {
  sandbox: SandboxKind;
  root?: string;
  image?: string;
  gpus?: number;
  show?: string[];
  json?: boolean;
}

export const command: CliCommand = {
  define: (command) => {
    command.addHelpText(
      "after",
      `
Examples:
  $ mlebench env build --light
  $ mlebench env check
  $ mlebench env check --sandbox podman --json`,
    );
    command
      .command("build")
      .description("build the base system agents run in, from Debian's packages")
      .addOption(new Option("--light", "Python alone; a minute or two (the default)").conflicts("heavy"))
      .option("--heavy", "with the scientific and machine-learning packages; about 13 minutes, 5 GB")
      .option("--into <dir>", "folder for the root file systems (default: the user's cache)")
      .option("--json", "print the outcome as JSON")
      .addHelpText("after", "\nExample:\n  $ mlebench env build --heavy")
      .action(action(build));
    command
      .command("check")
      .description("look around inside a sandbox and say what an agent would find")
      .addOption(
        new Option("--sandbox <kind>", "which sandbox").choices(SandboxKind.options).default("bubblewrap"),
      )
      .option("--root <dir>", "bubblewrap: another root file system (default: the heaviest one built)")
      .option("--image <name>", "docker, podman: another image")
      .option("--gpus <n>", "with so many GPUs (default: all there are)", parseWhole)
      .option("--show <folder>", "with this folder, read-only; may be repeated", collectFolders)
      .option("--json", "print everything as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  $ mlebench env check --sandbox bubblewrap\n  $ mlebench env check --gpus 1 --show /opt/conda",
      )
      .action(action(check));
  },
};

async function build({ heavy, into, json }: BuildOptions): Promise<ExitCode> {
  const outcome = await buildEnvironment({
    weight: heavy ? "heavy" : "light",
    ...(into === undefined ? {} : { into }),
    progress: (line) => printNote(paint("dim", line)),
  });
  if (json) printJson(outcome);
  if (outcome.status === "failed") {
    if (!json) printError("ENV_NOT_BUILT", outcome.message, outcome.nextStep);
    return 3;
  }
  if (!json) {
    print(`built in ${outcome.seconds.toFixed(0)} s (${sizeText(outcome.bytes)})`);
    print(`  root file system  ${outcome.folder}`);
    for (const { engine, image } of outcome.images) print(`  ${engine} image      ${image}`);
    print("see what is in it: mlebench env check");
  }
  return 0;
}

async function check({ sandbox, root, image, gpus, show, json }: CheckOptions): Promise<ExitCode> {
  const usual = await defaultSystem(sandbox);
  const rootFolder = root ?? usual.rootFolder;
  const named = image ?? usual.image;
  const findings = await checkEnvironment(
    sandbox,
    {
      ...(rootFolder === null ? {} : { rootFolder }),
      ...(named === null ? {} : { image: named }),
    },
    { gpus, show },
  );
  if (json) printJson(findings);
  if (findings.status === "refused") {
    if (!json) printError(findings.code, findings.message, findings.nextStep);
    return 3;
  }
  if (!json) printFindings(findings);
  return 0;
}

function printFindings(found: EnvironmentFindings): void {
  const { policy } = found;
  const row = (name: string, value: string) => print(`${paint("bold", name.padEnd(12))} ${value}`);
  const isolated = Object.entries(policy.isolation).filter(([, own]) => own);
  row("sandbox", `${policy.kind}, starts in ${found.startMilliseconds.toFixed(0)} ms`);
  row("isolation", isolated.map(([name]) => name).join(", ") || "none: only for agents you trust");
  row(
    "system",
    `${found.system ?? "unknown"} (${policy.system.source}${policy.system.name ? `: ${policy.system.name}` : ""})`,
  );
  row("user", `${found.user ?? "unknown"}, on the host ${policy.user.outside}`);
  row("network", policy.network.mode);
  row("python", found.python ?? "not there");
  const packages = Object.entries(found.packages);
  row(
    "packages",
    packages
      .filter(([, version]) => version)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ") || "none",
  );
  row(
    "missing",
    packages
      .filter(([, version]) => !version)
      .map(([name]) => name)
      .join(", ") || "nothing",
  );
  row(
    "programs",
    Object.entries(found.programs)
      .filter(([, there]) => there)
      .map(([name]) => name)
      .join(", "),
  );
  row("machine", `${found.processors} processors, ${sizeText(found.memoryBytes)} of memory`);
  const gpus = found.gpus.length > 0 ? found.gpus : found.gpuDevices;
  row("GPU", `${gpus.join(", ") || "none"}${found.gpuVisible === null ? "" : ` (as ${found.gpuVisible})`}`);
}
