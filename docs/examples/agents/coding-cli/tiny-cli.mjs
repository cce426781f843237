// The smallest coding program there can be: one tool, one conversation. It is here so that the example works as it is.
import { spawnSync } from "node:child_process";

const { MLEBENCH_MODEL, MLEBENCH_MODEL_TOKEN, MLEBENCH_MODEL_URL } = process.env;
const tools = [
  {
    type: "function",
    function: {
      name: "bash",
      description: "Runs a command.",
      parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    },
  },
];
const messages = [{ role: "user", content: process.argv[2] }];
for (let turn = 0; turn < 30; turn++) {
  const reply = await fetch(`${MLEBENCH_MODEL_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${MLEBENCH_MODEL_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MLEBENCH_MODEL, messages, tools }),
  });
  const body = await reply.json();
  if (!reply.ok) {
    console.error(body.error?.message ?? reply.status);
    process.exit(1);
  }
  const { message } = body.choices[0];
  messages.push(message);
  console.log(message.content ?? "");
  if (!message.tool_calls?.length) break;
  for (const { id, function: call } of message.tool_calls) {
    const { command } = JSON.parse(call.arguments);
    const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", maxBuffer: 2 ** 26 });
    messages.push({ role: "tool", tool_call_id: id, content: `${stdout}${stderr}`.slice(-20_000) });
  }
}
