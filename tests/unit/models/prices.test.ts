import { describe, expect, it } from "vitest";
import type { Usage } from "../../../src/models/call.ts";
import { costBound, costOf } from "../../../src/models/prices/cost.ts";
import { PRICES } from "../../../src/models/prices/table.ts";
import { protocols } from "../../../src/models/protocols/protocols.ts";

const USAGE: Usage = { inputUncached: 1e6, cacheRead: 0, cacheWrite: 1e6, output: 1e6, reasoning: 0 };
const PRICE = { input: 2, output: 10, cache_write: 3 };

describe("what a call costs", () => {
  it("is more for what stays in the cache for an hour, where somebody has said how much", () => {
    expect(costOf(USAGE, PRICE)).toBe(15);
    expect(costOf({ ...USAGE, cacheWriteLong: 1e6 }, { ...PRICE, cache_write_long: 4 })).toBe(16);
    expect(costOf({ ...USAGE, cacheWriteLong: 4e5 }, { ...PRICE, cache_write_long: 4 })).toBeCloseTo(15.4);
  });

  it("is unknown, never the usual, where nobody has", () => {
    expect(costOf({ ...USAGE, cacheWriteLong: 1 }, PRICE)).toBeNull();
    expect(costOf({ ...USAGE, tier: "priority" }, PRICE)).toBeNull();
    expect(costOf({ ...USAGE, tier: "flex" }, { ...PRICE, tiers: { flex: 0.5 } })).toBe(7.5);
    expect(costOf({ ...USAGE, tier: "priority" }, { ...PRICE, tiers: { flex: 0.5 } })).toBeNull();
  });

  it("counts against a budget all the same", () => {
    expect(costBound({ ...USAGE, tier: "priority" }, PRICE)).toBe(90);
    expect(costBound(USAGE, PRICE)).toBe(15);
    expect(costBound({ ...USAGE, tier: "priority" }, null)).toBeNull();
  });

  it("is known for an hour of claude-opus-5", () => {
    expect(
      costOf({ ...USAGE, inputUncached: 0, output: 0, cacheWriteLong: 1e6 }, PRICES["claude-opus-5"].price),
    ).toBe(10);
  });
});

describe("the table", () => {
  it("has the price of a long request, and none for a service that is not in it", () => {
    const { price } = PRICES["gpt-5.6"];
    const usage = { ...USAGE, inputUncached: 3e5, cacheWrite: 0, output: 1e5 };
    expect(costOf(usage, price)).toBeCloseTo(3 + 4.5);
    expect(costOf({ ...usage, inputUncached: 2e5 }, price)).toBeCloseTo(1 + 3);
    expect(costOf({ ...usage, tier: "priority" }, price)).toBeNull();
  });

  it("charges what runs in one country, and knows nothing of what is unusual in two ways", () => {
    const usage = {
      input_tokens: 1e6,
      output_tokens: 0,
      service_tier: "standard",
      speed: "standard",
      inference_geo: "us",
    };
    const { price } = PRICES["claude-opus-4-8"];
    const cost = (more: object) => {
      const content = [{ type: "text", text: "x" }];
      const reply = {
        type: "message",
        id: "m",
        role: "assistant",
        model: "c",
        content,
        usage: { ...usage, ...more },
      };
      const read = protocols.messages.readReply(JSON.parse(JSON.stringify(reply)));
      return read.ok ? costOf(read.value.usage!, price) : read.problem;
    };
    expect(cost({})).toBeCloseTo(5.5);
    expect(cost({ inference_geo: "global" })).toBe(5);
    expect(cost({ inference_geo: "not_available", speed: "fast" })).toBe(10);
    expect(cost({ speed: "fast" })).toBeNull();
  });
});

describe("usage says which", () => {
  const read = (name: keyof typeof protocols, body: object) => {
    const outcome = protocols[name].readReply(JSON.parse(JSON.stringify(body)));
    return outcome.ok ? outcome.value.usage : outcome.problem;
  };

  it("messages", () => {
    const usage = {
      input_tokens: 5,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 7,
      service_tier: "priority",
    };
    const reply = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "c",
      content: [],
      stop_reason: "end_turn",
    };
    expect(read("messages", { ...reply, usage })).toMatchObject({
      cacheWrite: 30,
      cacheWriteLong: 20,
      tier: "priority",
    });
    const usual = read("messages", {
      ...reply,
      usage: { input_tokens: 5, output_tokens: 7, service_tier: "standard" },
    });
    expect(usual).not.toHaveProperty("tier");
    expect(usual).not.toHaveProperty("cacheWriteLong");
  });

  it("chat and responses", () => {
    const message = { role: "assistant", content: "hi" };
    const chat = {
      id: "x",
      object: "chat.completion",
      model: "g",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    };
    expect(read("chat", { ...chat, service_tier: "flex" })).toMatchObject({ tier: "flex" });
    expect(read("chat", { ...chat, service_tier: "default" })).not.toHaveProperty("tier");
    const responses = {
      id: "r",
      object: "response",
      status: "completed",
      model: "g",
      output: [],
      service_tier: "ultrafast",
      usage: {
        input_tokens: 50,
        input_tokens_details: { cache_write_tokens: 40, cache_write_tokens_details: { ttl_12h_tokens: 30 } },
        output_tokens: 7,
      },
    };
    expect(read("responses", responses)).toMatchObject({
      cacheWrite: 40,
      cacheWriteLong: 30,
      tier: "ultrafast",
    });
  });
});
