import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { plantGroup } from "../report/planted-group.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ask, type StartedViewer, startViewer } from "./start.ts";

const folder = temporaryFolder();
const runs = path.join(folder, "runs");
const group = path.basename(plantGroup(runs, "agent", [{ competitionId: "spaceship-titanic", seed: 0 }]));
const trial = "spaceship-titanic_000000";
writeText(folder, "secret.txt", "the answers");
fs.symlinkSync(path.join(folder, "secret.txt"), path.join(runs, group, trial, "run.log"));
let viewer: StartedViewer;

beforeAll(async () => {
  viewer = await startViewer(runs);
});
afterAll(() => viewer.end());

const bearer = () => ({ authorization: `Bearer ${viewer.token}` });

describe("who may ask the viewer", () => {
  test("nobody without the token, whatever is asked", async () => {
    for (const address of ["/", "/app.js", "/api/runs", "/api/live", "/?token=wrong", "/nothing"])
      expect((await ask(viewer, address)).status, address).toBe(401);
    expect((await ask(viewer, "/api/cancel", {}, "POST")).status).toBe(401);
    expect((await ask(viewer, `/api/runs?token=${viewer.token}`)).status).toBe(401);
  });

  test("the printed address moves its token into a strict cookie", async () => {
    const { status, headers } = await ask(viewer, `/?token=${viewer.token}`);
    expect(status).toBe(303);
    expect(headers.location).toBe("/");
    const [cookie] = headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const page = await ask(viewer, "/", { cookie: cookie.split(";")[0] });
    expect(page).toMatchObject({ status: 200 });
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect(page.body).not.toMatch(/<script(?! src=)/);
  });

  test("a name that a rebound DNS entry leads here by is refused, token or not", async () => {
    for (const host of ["evil.example", `evil.example:${viewer.port}`, "127.0.0.1", "127.0.0.1:1"])
      expect((await ask(viewer, "/api/runs", { ...bearer(), host })).status, host).toBe(403);
    expect((await ask(viewer, "/api/runs", { ...bearer(), host: `localhost:${viewer.port}` })).status).toBe(
      200,
    );
  });

  test("scripts of other websites are refused, also with a cookie they should not have", async () => {
    const cookie = `mlebench-view-${viewer.port}=${viewer.token}`;
    for (const headers of [
      { cookie, origin: "https://evil.example" },
      { cookie, origin: "null" },
      { cookie, origin: "http://127.0.0.1:1" },
      { cookie, "sec-fetch-site": "cross-site" },
      { cookie, "sec-fetch-site": "same-site" },
    ])
      expect((await ask(viewer, "/api/runs", headers)).status, JSON.stringify(headers)).toBe(403);
    expect((await ask(viewer, "/api/cancel", { cookie }, "POST")).status).toBe(403);
  });

  test("only what is known is answered, by the methods it has", async () => {
    for (const method of ["PUT", "DELETE", "OPTIONS", "PATCH"])
      expect((await ask(viewer, "/api/runs", bearer(), method)).status, method).toBe(405);
    for (const address of ["/api/nothing", "/api/__proto__", "/api/constructor", "/etc/passwd", "/%2e%2e/x"])
      expect((await ask(viewer, address, bearer())).status, address).toBe(404);
    expect((await ask(viewer, "/api/runs", bearer(), "POST")).status).toBe(404);
  });

  test.each([
    ["../..", trial],
    ["..%2f..", trial],
    [".", `${group}%2f${trial}`],
    ["%GROUP%", ".."],
    ["%GROUP%", "..%2f..%2fsecret.txt"],
    ["%GROUP%", `${trial}%2f..%2f..`],
    ["%GROUP%", "%00"],
    ["/etc", "passwd"],
  ])("no group %s and no trial %s lead out of the folder", async (asked, id) => {
    const name = asked.replace("%GROUP%", group);
    for (const route of ["trial", "log", "events", "group"]) {
      const reply = await ask(viewer, `/api/${route}?group=${name}&trial=${id}`, bearer());
      if (route !== "group" || asked !== "%GROUP%") expect(reply.status, `${route} ${name}`).toBe(404);
      expect(reply.body).not.toContain("the answers");
    }
  });

  test("a link that an agent left is not followed", async () => {
    const reply = await ask(viewer, `/api/log?group=${group}&trial=${trial}&name=run.log`, bearer());
    expect(reply.status).toBe(200);
    expect(reply.body).not.toContain("the answers");
  });

  test("cancelling a finished trial or an unknown one does nothing", async () => {
    const headers = bearer();
    expect((await ask(viewer, "/api/cancel?group=x&trial=y", headers, "POST")).status).toBe(404);
    fs.writeFileSync(path.join(runs, group, trial, "certificate.json"), "{}");
    const late = await ask(viewer, `/api/cancel?group=${group}&trial=${trial}`, headers, "POST");
    expect(late.status).toBe(409);
    expect(fs.existsSync(path.join(runs, group, trial, "cancel"))).toBe(false);
  });
});

test("a folder that is not there and a port that is not one are refused in a sentence", () => {
  expect(mlebench(["view", "--runs-dir", path.join(folder, "nowhere")])).toMatchObject({ code: 2 });
  const wrong = mlebench(["view", "--runs-dir", runs, "--port", "eighty"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("is not a port");
});
