import { expect, test } from "vitest";
import { bombard } from "./bad-requests.ts";
import { egressProxy, validationServer } from "./servers.ts";

test.each([
  ["the validation server", validationServer],
  ["the proxy of an allow-list", egressProxy],
])("%s survives hundreds of random bad requests (10,000: npm run soak -- bad-requests)", async (_, start) => {
  const server = await start();
  const seed = Date.now() % 2 ** 31;
  await bombard({ socket: server.socket, requests: 400, seed });
  expect(await server.problem(), `seed ${seed}`).toBeNull();
  await server.close();
});
