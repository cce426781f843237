import { createHash } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A file in the storage that the API redirects to. */
export type StoredFile = {
  bytes: Buffer;
  etag?: string;
  /** Headers of every answer that carries it, such as x-goog-hash. */
  headers?: Record<string, string>;
  /** A storage that knows no ranges answers each request with all of it. */
  ignoresRanges?: boolean;
};

/** What goes wrong with one request; the next fault is used up by the next request. */
export type Fault =
  | { kind: "status"; code: number; headers?: Record<string, string>; body?: string | Buffer }
  /** The connection is cut after so many bytes of the body, though more were announced, once `when` is true. */
  | { kind: "cut"; after: number; when: () => boolean }
  /** After so many bytes nothing more comes, and the connection stays open. */
  | { kind: "hang"; after: number }
  | { kind: "silence" }
  | { kind: "none" };

type Seen = { url: string; headers: IncomingMessage["headers"] };

export type Access = "open" | "rules" | "phone" | "denied";

/** Kaggle's API and the storage behind it, as two real HTTP servers on this machine. */
export type FakeKaggle = {
  address: string;
  storageAddress: string;
  apiRequests: Seen[];
  storageRequests: Seen[];
  apiFaults: Fault[];
  storageFaults: Fault[];
  competitions: Map<string, { access: Access; file: StoredFile }>;
  /** Answers of other API paths (without query), as JSON or as bytes. */
  answers: Map<string, unknown>;
  close: () => Promise<void>;
};

const refusals: Record<Exclude<Access, "open">, string> = {
  rules: "You must accept this competition's rules before you'll be able to download files.",
  phone: "You must verify your phone number before you can download this data.",
  denied: "Permission 'competitions.participate' was denied",
};

export async function startFakeKaggle(authorization: string): Promise<FakeKaggle> {
  const fake: FakeKaggle = {
    address: "",
    storageAddress: "",
    apiRequests: [],
    storageRequests: [],
    apiFaults: [],
    storageFaults: [],
    competitions: new Map(),
    answers: new Map(),
    close: async () => {
      for (const server of [api, storage]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };

  const api = http.createServer((request, response) => {
    fake.apiRequests.push({ url: request.url ?? "", headers: request.headers });
    const fault = fake.apiFaults.shift();
    if (fault !== undefined && fault.kind !== "none") return fail(response, fault, Buffer.alloc(0));
    if (request.headers.authorization !== authorization) return sendError(response, 401, "Unauthorized");
    const { pathname } = new URL(request.url ?? "", fake.address);
    const route = pathname.replace("/api/v1/", "");
    const [, id] = /^competitions\/data\/download-all\/(.+)$/.exec(route) ?? [];
    if (id !== undefined) return sendToStorage(response, id);
    if (!fake.answers.has(route)) return sendError(response, 404, "Not found");
    const answer = fake.answers.get(route);
    if (Buffer.isBuffer(answer)) return response.end(answer);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });

  function sendToStorage(response: ServerResponse, id: string) {
    const competition = fake.competitions.get(id);
    if (competition === undefined) return sendError(response, 404, "Not found");
    if (competition.access !== "open") return sendError(response, 403, refusals[competition.access]);
    response.writeHead(302, { location: `${fake.storageAddress}/bundle/${id}.zip?signature=secret` });
    response.end();
  }

  const storage = http.createServer((request, response) => {
    fake.storageRequests.push({ url: request.url ?? "", headers: request.headers });
    const fault = fake.storageFaults.shift() ?? { kind: "none" };
    if (fault.kind === "status" || fault.kind === "silence") return fail(response, fault, Buffer.alloc(0));
    const [, id] = /^\/bundle\/(.+)\.zip/.exec(request.url ?? "") ?? [];
    const file = fake.competitions.get(id ?? "")?.file;
    if (file === undefined) return sendError(response, 404, "NoSuchKey");
    const body = startAnswer(request, response, file);
    if (fault.kind === "none") response.end(body);
    else fail(response, fault, body);
  });

  fake.address = `${await listen(api)}/api/v1`;
  fake.storageAddress = await listen(storage);
  return fake;
}

/** The x-goog-hash of these bytes. */
export function googleHash(bytes: Buffer): string {
  return `crc32c=AAAAAA==,md5=${createHash("md5").update(bytes).digest("base64")}`;
}

function startAnswer(request: IncomingMessage, response: ServerResponse, file: StoredFile): Buffer {
  const { bytes, etag } = file;
  if (etag !== undefined) response.setHeader("etag", etag);
  for (const [name, value] of Object.entries(file.headers ?? {})) response.setHeader(name, value);
  const [, first] = /^bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
  const condition = request.headers["if-range"];
  const sameFile = condition === undefined || condition === etag;
  if (first === undefined || !sameFile || file.ignoresRanges) {
    response.writeHead(200, { "content-length": bytes.length });
    return bytes;
  }
  const rest = bytes.subarray(Number(first));
  if (rest.length === 0) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` });
    return rest;
  }
  response.writeHead(206, {
    "content-length": rest.length,
    "content-range": `bytes ${first}-${bytes.length - 1}/${bytes.length}`,
  });
  return rest;
}

function fail(response: ServerResponse, fault: Fault, body: Buffer) {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.code, fault.headers);
      return response.end(fault.body ?? "");
    case "cut":
      response.write(body.subarray(0, fault.after));
      return whenTrue(fault.when, () => response.destroy());
    case "hang":
      return response.write(body.subarray(0, fault.after));
  }
}

function whenTrue(condition: () => boolean, action: () => void) {
  const timer = setInterval(() => {
    if (!condition()) return;
    clearInterval(timer);
    action();
  }, 5);
}

function sendError(response: ServerResponse, code: number, message: string) {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify({ code, message }));
}

function listen(server: http.Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}
