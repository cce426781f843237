// The baseline agent, for the tree's sandbox: an agent's folder is all of it that enters one.
import "../baseline/agent.ts";
