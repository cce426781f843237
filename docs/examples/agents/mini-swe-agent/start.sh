set -eu
cd "$CODE_DIR"
export HOME="$CODE_DIR/.home" OPENAI_API_BASE="$OPENAI_BASE_URL"
mkdir -p "$HOME"
exec mini --yolo --exit-immediately --model "openai/$MLEBENCH_MODEL" --output "$LOGS_DIR/trajectory.json" \
  --task "$(cat "$(dirname "$AGENT_DIR")/instructions.txt")"
