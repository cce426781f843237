set -eu
cd "$CODE_DIR"
export HOME="$CODE_DIR/.home" GOOSE_MODEL="$MLEBENCH_MODEL"
export OPENAI_HOST="${OPENAI_BASE_URL%/v1}" OPENAI_BASE_PATH=v1/chat/completions
mkdir -p "$HOME"
exec goose run --no-session --with-builtin developer -i "$(dirname "$AGENT_DIR")/instructions.txt"
