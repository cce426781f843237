export type { AgentDefinition, AgentOutcome } from "../agents/definition/agent.ts";
export { type ListedAgent, loadAgents, resolveAgent } from "../agents/definition/load-definitions.ts";
export { type AgentCheck, checkAgent } from "../workflows/check-agent.ts";
