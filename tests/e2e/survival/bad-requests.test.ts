import { expect, test } from "vitest";
import { bombard } from "./bad-requests.ts";
import { egressProxy, modelGateway, servedModels, validationServer, viewer } from "./servers.ts";

test.each([
  ["the validation server", validationServer],
  ["the proxy of an allow-list", egressProxy],
  ["the gateway to models", modelGateway],
  ["the viewer", viewer],
  ["mlebench models serve", servedModels],
])("%s survives hundreds of random bad requests (10,000: npm run soak -- bad-requests)", async (_, start) => {
  const server = await start();
  const seed = Date.now() % 2 ** 31;
  await bombard({ ...server, requests: 400, seed });
  expect(await server.problem(), `seed ${seed}`).toBeNull();
  await server.close();
});
