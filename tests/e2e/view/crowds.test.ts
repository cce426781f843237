// full: slow senders and a hundred readers take their time
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportParts } from "../../../src/reporters/html/fragments.ts";
import type { StandingsPage } from "../../../src/viewer/routes/standings.ts";
import type { SubmissionDiff } from "../../../src/viewer/routes/submission-diff.ts";
import { plantGroup } from "../report/planted-group.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ask, askJson, type StartedViewer, startViewer } from "./start.ts";

const runs = path.join(temporaryFolder(), "runs");
const good = path.basename(plantGroup(runs, "good", [{ competitionId: "spaceship-titanic", seed: 0 }]));
const trial = "spaceship-titanic_000000";
let viewer: StartedViewer;

beforeAll(async () => {
  viewer = await startViewer(runs);
});
afterAll(() => viewer.end());

/** Opens the stream of changes; resolves with its status once the server has answered. */
function listen(): Promise<{ status: number; end(): void }> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      {
        ...{ host: "127.0.0.1", port: viewer.port, path: "/api/live", agent: false },
        headers: { authorization: `Bearer ${viewer.token}` },
      },
      (response) => {
        response.resume();
        response.on("error", () => {});
        resolve({ status: response.statusCode ?? 0, end: () => request.destroy() });
      },
    );
    request.on("error", reject);
  });
}

describe("many who ask, slowly or at once", () => {
  test("a hundred streams: the last ones are refused, and let in when others have gone", async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, listen));
    const counts = { admitted: 0, refused: 0 };
    for (const { status } of streams) counts[status === 200 ? "admitted" : "refused"]++;
    expect(counts).toEqual({ admitted: 64, refused: 36 });
    expect((await ask(viewer, "/api/runs", { authorization: `Bearer ${viewer.token}` })).status).toBe(200);
    for (const { end } of streams) end();
    await expect
      .poll(
        async () => {
          const again = await listen();
          again.end();
          return again.status;
        },
        { timeout: 30_000 },
      )
      .toBe(200);
  });

  test("whoever begins to listen reads what is there then, not what was listed a moment before", async () => {
    const headers = { authorization: `Bearer ${viewer.token}` };
    await ask(viewer, "/api/runs", headers);
    const fresh = path.basename(plantGroup(runs, "fresh", [{ competitionId: "spaceship-titanic", seed: 0 }]));
    const stream = await listen();
    const { body } = await ask(viewer, "/api/runs", headers);
    stream.end();
    fs.rmSync(path.join(runs, fresh), { recursive: true });
    expect(body).toContain(fresh);
  });

  test("whoever never comes to the end of a request is hung up on", async () => {
    const socket = net.connect(viewer.port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${viewer.port}\r\nX-Slow: `);
    const drip = setInterval(() => socket.write("x"), 500);
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drip);
    expect((await ask(viewer, "/api/runs", { authorization: `Bearer ${viewer.token}` })).status).toBe(200);
  }, 60_000);

  test("what no browser asks for is refused before anything else", async () => {
    for (const address of ["//", "http://[", "//[/api/runs"])
      expect((await ask(viewer, address)).status, address).toBe(400);
  });

  test("standings and reports are worked out beside the server; a group that cannot be read takes none along", async () => {
    const bad = plantGroup(runs, "bad", [{ competitionId: "spaceship-titanic", seed: 0 }]);
    writeText(bad, "2026-01-31T13-00-00-UTC_grading_report.json", "{");
    // What was listed a moment ago counts for that moment.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [page, again] = await Promise.all([
      askJson<StandingsPage>(viewer, "/api/standings?published=no"),
      askJson<StandingsPage>(viewer, "/api/standings?published=no"),
    ]);
    expect(page.standings.rows.map(({ agent }) => agent)).toEqual(["good"]);
    expect(again).toEqual(page);
    const { parts } = await askJson<ReportParts>(viewer, `/api/report?groups=${good}`);
    expect(parts[0].markup).toContain("Medal rate");
    const missing = await ask(viewer, "/api/report?groups=nothing", {
      authorization: `Bearer ${viewer.token}`,
    });
    expect(missing.status).toBe(404);
  });

  test("two versions of a submission are compared by their lines; the end of the last one is none", async () => {
    const folder = path.join(runs, good, trial, "submissions");
    const [first, second] = ["a".repeat(64), "b".repeat(64)];
    writeText(folder, `${first}.csv`, "id,x\n1,0\n");
    writeText(folder, `${second}.csv`, "id,x\n1,0\n2,0\n3,0");
    const diff = await askJson<SubmissionDiff>(
      viewer,
      `/api/submission-diff?group=${good}&trial=${trial}&sha256=${second}&before=${first}`,
    );
    expect(diff).toEqual({
      ...{ lines: 4, linesBefore: 2, changed: 2, cut: false },
      sample: [
        { line: 3, before: null, after: "2,0" },
        { line: 4, before: null, after: "3,0" },
      ],
    });
    expect(fs.existsSync(folder)).toBe(true);
  });
});
