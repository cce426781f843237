import { expect, test } from "vitest";
import { completion, JSON_HEADERS, message } from "../fake-provider.ts";
import { ask, post } from "../gateway-setting.ts";
import { setting } from "./setting.ts";

test("what reaches the network under another name is taken out and noted, at whatever depth it stands", async () => {
  const { gateway, provider, end } = await setting(
    () => ({ headers: JSON_HEADERS, body: [completion("hi")] }),
    { roles: { default: "openai:gpt-5" } },
  );
  const url = `${gateway.url}/v1/chat/completions`;
  const more = {
    plugins: [{ id: "web" }],
    provider: { order: ["x"] },
    search_parameters: { mode: "on" },
    container: "c_1",
  };
  await post(url, ask("gpt-5", "x", more));
  const mine = { type: "function", name: "mine", parameters: {} };
  const deep = { type: "namespace", name: "d", tools: [{ type: "web_search" }] };
  const tools = [{ type: "namespace", name: "n", tools: [{ type: "web_search" }, mine, deep] }];
  const found = {
    type: "tool_search_output",
    tools: [{ type: "mcp", server_url: "https://x.example" }, mine],
  };
  await post(
    `${gateway.url}/v1/responses`,
    JSON.stringify({ model: "gpt-5", input: [found], tools, tool_choice: "auto" }),
  );
  expect(JSON.parse(provider.seen[0].body.toString())).toEqual(JSON.parse(ask("gpt-5", "x")));
  expect(JSON.parse(provider.seen[1].body.toString())).toEqual({
    model: "gpt-5",
    input: [{ type: "tool_search_output", tools: [mine] }],
    tools: [{ type: "namespace", name: "n", tools: [mine] }],
    tool_choice: "auto",
  });
  const lines = await end();
  for (const name of ["plugins", "provider", "search_parameters", "container"])
    expect(lines[0].notes.join("\n"), name).toContain(name);
  expect(lines[1].notes.join()).toContain("web_search, web_search, mcp");
  expect(gateway.record().providerToolsRefused).toMatchObject({ plugins: 1, container: 1 });
});

test.each([
  ["models", ["other/model"]],
  ["route", "fallback"],
  ["preset", "mine"],
  ["fallbacks", ["other"]],
  ["prompt", { id: "pmpt_1" }],
  ["background", true],
  ["previous_response_id", "resp_1"],
  ["conversation", "conv_1"],
  ["cachedContent", "cachedContents/1"],
  ["cached_content", "cachedContents/1"],
  ["api_base", "https://elsewhere.example"],
])("a request that chooses another model or something stored is refused: %s", async (name, value) => {
  for (const providerTools of [false, true]) {
    const { url, provider, end } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
      settings: { providerTools },
    });
    const refused = await post(url, ask("claude-real", "x", { [name]: value }));
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(`"${name}"`) },
    });
    expect((await post(url, ask("claude-real", "x", { [name]: null }))).status).toBe(200);
    expect(provider.seen).toHaveLength(1);
    expect((await end())[0]).toMatchObject({ outcome: "refused", blame: "agent" });
  }
});

test("only the trial's own token opens the door, in any header a protocol has for keys", async () => {
  const { url, gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
    withToken: true,
  });
  const token = gateway.token!;
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { "x-api-key": token },
    { "api-key": token },
    { "x-goog-api-key": token },
  ] as Record<string, string>[])
    expect((await post(url, ask("claude-real"), headers)).status).toBe(200);
  for (const headers of [{}, { "x-api-key": `${token}x` }, { authorization: "Bearer " }] as Record<
    string,
    string
  >[])
    expect((await post(url, ask("claude-real"), headers)).status).toBe(401);
  expect(provider.seen).toHaveLength(4);
});

test("without a token a page of somebody else's in a browser of this machine may not ask", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  for (const origin of ["https://elsewhere.example", "null", "http://localhost.elsewhere.example"])
    expect((await post(url, ask("claude-real"), { origin, "content-type": "text/plain" })).status).toBe(401);
  expect(provider.seen).toHaveLength(0);
  for (const origin of ["http://localhost:3000", "http://127.0.0.1:8080"])
    expect((await post(url, ask("claude-real"), { origin })).status).toBe(200);
});

test("a model the run did not name is refused by its name, and nobody is asked", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const reply = await post(url, ask("claude-other"));
  expect(reply.status).toBe(400);
  expect(reply.body.toString()).toContain("claude-other");
  expect(reply.body.toString()).toContain("claude-real");
  // Parsers disagree on which of two keys counts.
  const twice = `{"model":"claude-expensive","max_tokens":1,"messages":[],"model":"claude-real"}`;
  expect((await post(url, twice)).status).toBe(400);
  expect(provider.seen).toHaveLength(0);
});

test("a body that names another model than its path is refused", async () => {
  const said = { candidates: [{ content: { role: "model", parts: [{ text: "x" }] }, finishReason: "STOP" }] };
  const answer = () => ({ headers: JSON_HEADERS, body: [JSON.stringify(said)] });
  const { gateway, provider, end } = await setting(answer, {
    roles: { default: "gemini:small" },
  });
  const body = (model: string) =>
    JSON.stringify({ model, contents: [{ role: "user", parts: [{ text: "x" }] }] });
  const url = `${gateway.url}/v1beta/models/small:generateContent`;
  expect((await post(url, body("models/large"))).status).toBe(400);
  expect(provider.seen).toHaveLength(0);
  expect((await post(url, body("models/small"))).status).toBe(200);
  expect(provider.seen).toHaveLength(1);
  expect((await end())[0]).toMatchObject({ outcome: "refused", blame: "agent" });
});

test("roles are asked for by their name, by their model, or by a header", async () => {
  const { gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [completion("hi")] }), {
    roles: { code: "openai:gpt-5", feedback: "openai:gpt-5-mini" },
  });
  const url = `${gateway.url}/v1/chat/completions`;
  const asked = async (model: string, headers: Record<string, string> = {}) => {
    await post(url, ask(model), headers);
    return JSON.parse(provider.seen.at(-1)!.body.toString()).model as string;
  };
  expect(await asked("feedback")).toBe("gpt-5-mini");
  expect(await asked("gpt-5")).toBe("gpt-5");
  expect(await asked("openai:gpt-5-mini")).toBe("gpt-5-mini");
  expect(await asked("whatever", { "x-mlebench-role": "code" })).toBe("gpt-5");
});

test("tools that run at the provider are taken out unless they are allowed", async () => {
  const body = ask("claude-real", "x", {
    tools: [
      { name: "run", input_schema: { type: "object" } },
      { type: "web_search_20250305", name: "web_search" },
    ],
  });
  const answer = () => ({ headers: JSON_HEADERS, body: [message("hi")] });
  const closed = await setting(answer);
  await post(closed.url, body);
  expect(JSON.parse(closed.provider.seen[0].body.toString()).tools).toEqual([
    { name: "run", input_schema: { type: "object" } },
  ]);
  expect(Object.keys(closed.gateway.record().providerToolsRefused).join()).toContain("web_search");
  expect((await closed.end())[0].notes.join()).toContain("web_search");
  const allowed = await setting(answer, { settings: { providerTools: true } });
  await post(allowed.url, body);
  expect(allowed.provider.seen[0].body.toString()).toBe(body);
});

test("an address that the provider would fetch is refused; what a tool was called with is only text", async () => {
  const { url, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }));
  const image = { type: "image", source: { type: "url", url: "https://example.org/secret" } };
  const reply = await post(
    url,
    JSON.stringify({ model: "claude-real", max_tokens: 5, messages: [{ role: "user", content: [image] }] }),
  );
  expect(reply.status).toBe(400);
  expect(provider.seen).toHaveLength(0);
  const call = { type: "tool_use", id: "t1", name: "get", input: { file_url: "https://example.org/data" } };
  const harmless = {
    model: "claude-real",
    max_tokens: 5,
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [call] },
    ],
  };
  expect((await post(url, JSON.stringify(harmless))).status).toBe(200);
});

test("models can be listed, tokens counted, and probes are answered", async () => {
  const { gateway, provider } = await setting(() => ({ headers: JSON_HEADERS, body: [message("hi")] }), {
    withToken: true,
  });
  const headers = { authorization: `Bearer ${gateway.token}` };
  const models = await post(`${gateway.url}/v1/models`, "", headers, { method: "GET" });
  expect(models.body.toString()).toContain('"claude-real"');
  const count = await post(`${gateway.url}/v1/messages/count_tokens`, ask("claude-real"), headers);
  expect(JSON.parse(count.body.toString()).input_tokens).toBeGreaterThan(10);
  expect((await post(`${gateway.url}/`, "", {}, { method: "HEAD" })).status).toBe(200);
  expect((await post(`${gateway.url}/api/hello`, "", {}, { method: "HEAD" })).status).toBe(200);
  expect((await post(`${gateway.url}/v1/files`, "{}", headers)).status).toBe(404);
  expect((await post(`${gateway.url}/v1/models`, "", {}, { method: "GET" })).status).toBe(401);
  expect(provider.seen).toHaveLength(0);
});
