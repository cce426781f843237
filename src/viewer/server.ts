import { randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { requestCancel } from "../trials/state/request-cancel.ts";
import { addressOf, admit, cookieName } from "./http/guard.ts";
import { HEADERS, send, sendJson } from "./http/respond.ts";
import { openLive } from "./live.ts";
import { viewerFile } from "./page.ts";
import { ROUTES } from "./routes/routes.ts";
import { isSlow } from "./slow/slow-routes.ts";
import { openSlowThread } from "./slow/slow-thread.ts";
import { openStore, type Store } from "./store.ts";

export interface ViewerOptions {
  runsDir: string;
  /** 0 takes any that is free. */
  port: number;
  competitionsDir?: string | undefined;
}

export interface Viewer {
  /** With the token: who has this address may look. */
  url: string;
  close(): Promise<void>;
}

export type ViewerOutcome =
  | { ok: true; viewer: Viewer }
  | { ok: false; code: "PORT_IN_USE" | "NOT_STARTED"; message: string };

/** More than any reader's tabs, fewer than a process may have files. */
const MAX_CONNECTIONS = 500;

/** Starts the viewer on the loopback interface. It reads what is on disk and writes nothing but requests to cancel. */
export async function startViewer({ runsDir, port, competitionsDir }: ViewerOptions): Promise<ViewerOutcome> {
  const token = randomBytes(24).toString("base64url");
  const store = openStore(runsDir, competitionsDir);
  const slow = openSlowThread({ runsDir, competitionsDir });
  const live = openLive({
    ...store,
    forget(group) {
      store.forget(group);
      slow.forget();
    },
  });
  let own = port;
  const server = http.createServer({ connectionsCheckingInterval: 1000 }, (request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) sendJson(request, response, 500, { message: "That went wrong here." });
      else response.end();
    });
  });
  // Whoever sends a byte a minute, or opens connections without end, must not keep a reader out.
  server.headersTimeout = 5000;
  server.requestTimeout = 10_000;
  server.maxConnections = MAX_CONNECTIONS;

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const admission = admit(request, token, own);
    if (admission.status === "refused") {
      request.resume();
      send(request, response, admission.code, "text/plain; charset=utf-8", `${admission.why}\n`);
    } else if (admission.status === "welcome") {
      const cookie = `${cookieName(own)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
      response.writeHead(303, { ...HEADERS, "set-cookie": cookie, location: "/" }).end();
    } else await serve(request, response);
  }

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname, searchParams } = addressOf(request)!;
    const ask = Object.fromEntries(searchParams);
    const [, api, name] = /^\/(api)\/([a-z-]{1,40})$/.exec(pathname) ?? [];
    if (request.method === "POST") {
      request.resume();
      if (pathname === "/api/cancel") cancel(store, ask, request, response);
      else sendJson(request, response, 404, { message: "There is nothing to change here." });
    } else if (pathname === "/api/live") live.join(request, response);
    else if (api !== undefined && Object.hasOwn(ROUTES, name)) {
      const result = await (isSlow(name) ? slow.answer(name, ask) : ROUTES[name](store, ask));
      if (result.ok) sendJson(request, response, 200, result.value);
      else sendJson(request, response, result.status, { message: result.message });
    } else {
      const file = viewerFile(pathname);
      if (file === null) sendJson(request, response, 404, { message: "There is no such page." });
      else send(request, response, 200, file.type, fs.readFileSync(file.path));
    }
  }

  return new Promise((resolve) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === "EADDRINUSE"
          ? { ok: false, code: "PORT_IN_USE", message: `Something listens on port ${port} already.` }
          : {
              ok: false,
              code: "NOT_STARTED",
              message: `The viewer could not listen on port ${port}: ${message}.`,
            },
      ),
    );
    server.listen(port, "127.0.0.1", () => {
      own = (server.address() as AddressInfo).port;
      void store.warmUp();
      resolve({
        ok: true,
        viewer: {
          url: `http://127.0.0.1:${own}/?token=${token}`,
          async close() {
            live.close();
            slow.close();
            server.closeAllConnections();
            await new Promise((done) => server.close(done));
          },
        },
      });
    });
  });
}

function cancel(
  store: Store,
  { group = "", trial = "" }: Readonly<Record<string, string>>,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const folder = store.trialFolder(group, trial);
  if (folder === null) sendJson(request, response, 404, { message: `There is no trial ${trial}.` });
  else if (requestCancel(folder) === "finished")
    sendJson(request, response, 409, { message: "It has finished already." });
  else sendJson(request, response, 200, { status: "requested" });
}
