# An image brings its own /home/agent: copy this file there when you build it (Dockerfile: COPY start.sh /home/agent/).
set -eu
cd "$CODE_DIR"
export HOME="$CODE_DIR/.home"
export LLM_MODEL="openai/$MLEBENCH_MODEL" LLM_BASE_URL="$OPENAI_BASE_URL" LLM_API_KEY="$OPENAI_API_KEY"
mkdir -p "$HOME"
# Without the last switch it ignores the variables.
openhands --headless --json -f "$(dirname "$AGENT_DIR")/instructions.txt" --override-with-envs > "$LOGS_DIR/openhands.jsonl"
