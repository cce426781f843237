# aider edits files and runs no commands of its own: so it writes solve.py, which is run and shown to it again.
set -u
cd "$CODE_DIR" || exit 1
export HOME="$CODE_DIR/.home"
mkdir -p "$HOME"
touch solve.py
for round in 1 2 3 4 5; do
  aider --model "openai/$MLEBENCH_MODEL" --openai-api-base "$OPENAI_BASE_URL" --openai-api-key "$OPENAI_API_KEY" \
    --yes-always --no-git --no-check-update --no-show-model-warnings --analytics-disable \
    --message "$(cat "$(dirname "$AGENT_DIR")/instructions.txt")
Write solve.py, which reads $DATA_DIR and writes $SUBMISSION_DIR/submission.csv. What it said last: $(tail -c 4000 "$LOGS_DIR/solve.log" 2>/dev/null)" \
    solve.py || exit 1
  timeout 1800 python3 solve.py > "$LOGS_DIR/solve.log" 2>&1
  echo "round $round: status $?"
done
[ -f "$SUBMISSION_DIR/submission.csv" ]
