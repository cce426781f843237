import { once } from "node:events";
import net from "node:net";

/** What a provider does with a connection once a request has come over it. */
export type Say = (socket: net.Socket) => void;

/** A provider that writes bytes of its own instead of HTTP's. */
export async function startRawProvider(say: Say) {
  const sockets = new Set<net.Socket>();
  let asked = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      text = text.slice(head + 4 + length);
      asked++;
      say(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    asked: () => asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A reply with its right length; `headers` are lines that end with CRLF. */
export function whole(body: string | Buffer, headers = "", status = "200 OK"): Say {
  const type = "content-type: application/json\r\n";
  return (socket) => {
    socket.write(`HTTP/1.1 ${status}\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`);
    socket.write(body);
  };
}

/** A stream that ends with its connection. */
export function streamed(body: string | Buffer, headers = ""): Say {
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${headers}connection: close\r\n\r\n`);
    socket.end(body);
  };
}
