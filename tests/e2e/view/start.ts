import type { ChildProcess } from "node:child_process";
import http from "node:http";
import { startMlebench } from "../cli.ts";

export interface StartedViewer {
  /** As printed, with its token. */
  url: string;
  port: number;
  token: string;
  child: ChildProcess;
  end(): Promise<void>;
}

/** Starts `mlebench view` on a free port and waits for its address. */
export async function startViewer(runsDir: string, ...args: string[]): Promise<StartedViewer> {
  const child = startMlebench(["view", "--runs-dir", runsDir, "--no-open", "--json", ...args]);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    let errors = "";
    child.stderr?.on("data", (piece) => {
      errors += piece;
    });
    child.stdout?.on("data", (piece) => {
      text += piece;
      if (text.trimEnd().endsWith("}")) resolve((JSON.parse(text) as { url: string }).url);
    });
    child.once("exit", (code) => reject(new Error(`mlebench view ended with ${code}: ${errors}`)));
  });
  const { port, searchParams } = new URL(url);
  return {
    url,
    port: Number(port),
    token: searchParams.get("token")!,
    child,
    async end() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Asks with exactly these headers: `fetch` would correct what a hostile client sends. */
export function ask(
  viewer: StartedViewer,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port: viewer.port, path, method, headers, setHost: headers.host === undefined },
      (response) => {
        let body = "";
        response.on("data", (piece) => {
          body += piece;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on("error", reject);
    request.end();
  });
}

/** As a program asks that knows the token. */
export async function askJson<T>(viewer: StartedViewer, path: string): Promise<T> {
  const { body } = await ask(viewer, path, { authorization: `Bearer ${viewer.token}` });
  return JSON.parse(body) as T;
}
