import { bombard } from "../e2e/survival/bad-requests.ts";
import {
  egressProxy,
  modelGateway,
  servedModels,
  validationServer,
  viewer,
} from "../e2e/survival/servers.ts";

// `npm run soak -- bad-requests [requests] [seed]`: that many random bad requests to each server the harness opens.
const requests = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
console.log(`${requests} bad requests to each server, seed ${seed}`);
for (const start of [validationServer, egressProxy, modelGateway, viewer, servedModels]) {
  const server = await start();
  await bombard({ ...server, requests, seed });
  const problem = await server.problem();
  console.log(`${server.name}: ${problem ?? "still answers, and its record is whole"}`);
  if (problem !== null) process.exitCode = 1;
  await server.close();
}
