/** What an engine's command line reads to find its daemon, its storage and its configuration: the user's own. */
const ENGINE_VARIABLES = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS"],
  ...["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"],
  ...["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH"],
  ...["CONTAINER_HOST", "CONTAINER_CONNECTION", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF"],
  ...["CONTAINERS_REGISTRIES_CONF", "STORAGE_DRIVER", "STORAGE_OPTS"],
]);

/** Every process of a `process` sandbox, and bubblewrap itself, carries this variable with the sandbox's identity. */
export const MARKER_VARIABLE = "MLEBENCH_SANDBOX";

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names with other characters mean something to a shell or an engine: `BASH_FUNC_…%%` is code, `*` is everything. */
export function isPlainVariableName(name: string): boolean {
  return PLAIN_NAME.test(name);
}

/** An engine's command line would take a name that begins with `-` for one of its options. */
export function isImageName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(name);
}

/** What Linux takes as one argument or variable, and well below what it takes of them together. */
const LONGEST_TEXT = 2 ** 17 - 1;
const LONGEST_TEXTS = 2 ** 20;

/** Why no system could start a command with these variables, as a sentence; null when nothing is wrong with them. */
export function startProblem(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): string | null {
  const variables = Object.entries(environment);
  const texts = [...command, ...variables.map(([name, value]) => `${name}=${value}`)];
  if (texts.some((text) => text.includes("\0")))
    return "the command or its environment holds a NUL character";
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const long = sizes.findIndex((size) => size > LONGEST_TEXT);
  if (long >= 0) {
    const name =
      long < command.length ? `argument ${long}` : `the variable ${variables[long - command.length]![0]}`;
    return `${name} has ${sizes[long]} bytes, more than the ${LONGEST_TEXT} that a system takes; put it into a file`;
  }
  const all = sizes.reduce((sum, size) => sum + size + 1, 0);
  return all <= LONGEST_TEXTS
    ? null
    : `arguments and variables have ${all} bytes together, more than the ${LONGEST_TEXTS} that a system takes; put them into a file`;
}

/** For our own programs on the host: nothing of the agent's, and nothing of the user's that steers a shell. */
export function launcherEnvironment(identity: string): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", [MARKER_VARIABLE]: identity };
}

/** For an engine's command line. Podman would hand the host's proxies, and their passwords, on to the container. */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => ENGINE_VARIABLES.has(name)));
}

/** A shell on the host reads its environment as code. Whoever adds a variable has to add it here, and think. */
export function checkHostEnvironment(environment: NodeJS.ProcessEnv): void {
  const odd = Object.keys(environment).find(
    (name) => name !== MARKER_VARIABLE && !ENGINE_VARIABLES.has(name),
  );
  if (odd !== undefined) throw new Error(`a program of the host must not be given the variable ${odd}`);
}
