import net from "node:net";

/** A small generator of our own, so that a failing seed can be run again anywhere. */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

const PIECES = [
  "GET ",
  "POST /validate",
  "POST /v1/messages",
  "POST /v1/chat/completions",
  "POST /v1/responses",
  "POST /v1beta/models/default:streamGenerateContent",
  "CONNECT ",
  "http://",
  "127.0.0.1",
  "[::1]",
  "[::ffff:7f00:1]",
  "localhost",
  "example.org",
  ":99999",
  ":0",
  ":80",
  ":",
  "/",
  "/../..//%00%ff",
  " HTTP/1.1\r\n",
  " HTTP/9.9\r\n",
  "\r\n",
  "\r\n\r\n",
  "\n",
  "Host: x\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Content-Length: 7\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Expect: 100-continue\r\n",
  "Connection: upgrade\r\nUpgrade: websocket\r\n",
  "Content-Type: multipart/form-data; boundary=b\r\n",
  'Content-Type: multipart/form-data; boundary="\\"\r\n',
  "--b\r\n",
  "--b--\r\n",
  'Content-Disposition: form-data; name="file"\r\n',
  "ffffffffffffffff\r\n",
  "0\r\n\r\n",
  "id,a,b\n1,2,3\n",
  "Content-Type: application/json\r\nContent-Length: 95\r\n\r\n",
  '{"model":"default","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"a"}]}    ',
  '{"model":{"a":[[[[[[',
  ",".repeat(5000),
  "\0\0\0",
  "\u001b[31m",
  "é\ud800",
  "A".repeat(70_000),
];

/** One request nobody would send on purpose: pieces of good ones in any order, cut anywhere, bytes changed. */
function badRequest(random: () => number, own: readonly string[]): Buffer {
  const count = 1 + Math.floor(random() * 14);
  const any = (pieces: readonly string[]) => pieces[Math.floor(random() * pieces.length)];
  const first = own.length > 0 && random() < 0.5 ? any(own) : "";
  const text = `${first}${Array.from({ length: count }, () => any(PIECES)).join("")}`;
  const bytes = Buffer.from(text, random() < 0.5 ? "utf8" : "latin1");
  for (let i = Math.floor(random() * 4); i > 0 && bytes.length > 0; i--)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return bytes.subarray(0, Math.ceil(bytes.length * (random() < 0.3 ? random() : 1)));
}

/** Sends bytes to a server and hangs up, by itself or when it is answered; never rejects. */
function send(address: net.NetConnectOpts, bytes: Buffer, random: () => number): Promise<void> {
  return new Promise((resolve) => {
    const client = net.connect(address);
    const patience = setTimeout(() => client.destroy(), 20 + random() * 60);
    client.on("error", () => {});
    client.on("data", () => {});
    client.on("close", () => {
      clearTimeout(patience);
      resolve();
    });
    client.on("connect", () => {
      const cut = Math.floor(random() * bytes.length);
      client.write(bytes.subarray(0, cut));
      client.write(bytes.subarray(cut));
      if (random() < 0.3) client.end();
      else if (random() < 0.1) client.destroy();
    });
  });
}

export interface Bombardment {
  address: net.NetConnectOpts;
  /** Beginnings with which a request gets as far as this server's own work. */
  own?: readonly string[];
  requests: number;
  seed: number;
  /** How many at a time. */
  width?: number;
}

/** Many bad requests at once. The caller then asks a good one. */
export async function bombard({ address, own = [], requests, seed, width = 40 }: Bombardment): Promise<void> {
  const random = randomFrom(seed);
  let left = requests;
  const lane = async () => {
    while (left-- > 0) await send(address, badRequest(random, own), random);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
