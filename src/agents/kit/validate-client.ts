import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type ValidationReply =
  | { status: "answered"; isValid: boolean; result: string }
  | { status: "no answer"; message: string };

const MAX_TRIES = 5;

/** Has the harness check a submission's format. Waits when it is asked to slow down. */
export async function validateSubmission(url: string, file: string): Promise<ValidationReply> {
  for (let tries = 1; ; tries++) {
    try {
      const { code, body, retryAfter } = await upload(url, file);
      if (code === 429 && tries < MAX_TRIES) {
        await wait(retryAfter * 1000);
        continue;
      }
      const reply = JSON.parse(body) as { result?: unknown; is_valid?: unknown };
      if (code !== 200 || typeof reply.result !== "string")
        return { status: "no answer", message: `status ${code}: ${body.slice(0, 200)}` };
      return { status: "answered", isValid: reply.is_valid === true, result: reply.result };
    } catch (error) {
      return { status: "no answer", message: (error as Error).message };
    }
  }
}

/** Streams the file: a submission may be larger than memory. */
function upload(url: string, file: string): Promise<{ code: number; body: string; retryAfter: number }> {
  const boundary = "----mlebench-agent";
  const disposition = 'form-data; name="file"; filename="submission.csv"';
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const length = head.length + fs.statSync(file).size + tail.length;
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": length },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          code: response.statusCode ?? 0,
          body: Buffer.concat(pieces).toString(),
          retryAfter: Number(response.headers["retry-after"] ?? 1),
        }),
      );
    });
    request.write(head);
    const content = fs.createReadStream(file);
    content.on("error", (error) => request.destroy(error));
    content.on("end", () => request.end(tail));
    content.pipe(request, { end: false });
  });
}

/** Whether somebody listens at an address, whoever it is. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port || 80), timeout: 5000 });
    const settle = (listens: boolean) => {
      resolve(listens);
      socket.destroy();
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}
