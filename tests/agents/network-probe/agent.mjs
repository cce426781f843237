// Tries every way out there may be, and writes what became of each to logs/network.json.
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";

const { HTTP_PROXY, HTTPS_PROXY, LOGS_DIR, DATA_DIR, SUBMISSION_DIR } = process.env;
const { PLAIN, SECURE, FORBIDDEN, HOST_ADDRESS, KEY } = process.env;
const PATIENCE_MS = 3000;

/** Plain HTTP through the proxy: the status and the text. */
function throughProxy(address) {
  return new Promise((resolve) => {
    const request = http.get(HTTP_PROXY, { path: address, timeout: PATIENCE_MS }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(`${response.statusCode} ${text.trim()}`);
    });
    request.on("error", (error) => resolve(error.message));
  });
}

/** A TLS conversation with the server at the other end of a tunnel; the key stands in for certificates. */
function throughTunnel(target) {
  return new Promise((resolve) => {
    const request = http.request(HTTPS_PROXY, { method: "CONNECT", path: target, timeout: PATIENCE_MS });
    request.on("connect", (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        resolve(`${response.statusCode}`);
        return;
      }
      const psk = Buffer.from(KEY, "hex");
      const secure = tls.connect({
        socket,
        ciphers: "PSK",
        maxVersion: "TLSv1.2",
        pskCallback: () => ({ psk, identity: "agent" }),
        checkServerIdentity: () => undefined,
      });
      let text = "";
      secure.on("data", (chunk) => {
        text += chunk;
      });
      secure.on("end", () => resolve(`200 ${secure.getProtocol()} ${text}`));
      secure.on("error", (error) => resolve(`TLS: ${error.message}`));
    });
    request.on("error", (error) => resolve(error.message));
    request.end();
  });
}

function directly(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port), timeout: PATIENCE_MS });
    const finish = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.on("connect", () => finish("reached"));
    socket.on("timeout", () => finish("no answer"));
    socket.on("error", (error) => finish(error.code));
  });
}

const found = {
  plain: await throughProxy(`http://127.0.0.1:${PLAIN}/`),
  otherPort: await throughProxy(`http://127.0.0.1:${FORBIDDEN}/`),
  otherHost: await throughProxy("http://mlebench.invalid/"),
  tunnel: await throughTunnel(`127.0.0.1:${SECURE}`),
  otherTunnel: await throughTunnel("mlebench.invalid:443"),
  direct: await Promise.all([
    directly("127.0.0.1", PLAIN),
    directly("127.0.0.1", SECURE),
    directly(HOST_ADDRESS, PLAIN),
    directly("1.1.1.1", 53),
  ]),
};
fs.writeFileSync(path.join(LOGS_DIR, "network.json"), JSON.stringify(found));
fs.copyFileSync(path.join(DATA_DIR, "sample_submission.csv"), path.join(SUBMISSION_DIR, "submission.csv"));
