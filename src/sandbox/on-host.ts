import path from "node:path";
import type { SandboxRequest } from "./sandbox.ts";

type View = Pick<SandboxRequest, "command" | "workingFolder"> & { env: Record<string, string> };

/**
 * What a request written for a sandbox means on the host: a value that is a path at or below a mount becomes the
 * mounted path, and addresses of forwarded ports get the port that stands for them. A path in the middle of a longer
 * text is left alone: there is no telling what it means.
 */
export function onHost(request: SandboxRequest, ports: ReadonlyMap<number, number>): View {
  const deepestFirst = [...request.mounts].sort((a, b) => b.inside.length - a.inside.length);
  const moved = (text: string): string => {
    const mount = deepestFirst.find(({ inside }) => text === inside || text.startsWith(`${inside}/`));
    return mount === undefined ? text : path.join(mount.host, text.slice(mount.inside.length));
  };
  const translate = (text: string): string => {
    return moved(text).replace(/\b(localhost|127\.0\.0\.1):(\d+)/g, (address, name, port) => {
      const other = ports.get(Number(port));
      return other === undefined ? address : `${name}:${other}`;
    });
  };
  return {
    // An argument may also be `name=/path`.
    command: request.command.map((text) => {
      const [, name = "", value] = /^([\w.+~-]+=)?(.*)$/s.exec(text)!;
      return name + translate(value);
    }),
    workingFolder: translate(request.workingFolder),
    env: Object.fromEntries(Object.entries(request.env).map(([name, value]) => [name, translate(value)])),
  };
}
