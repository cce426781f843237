# Everything an agent is told stands in its environment: see docs/agents.md.
set -eu

# Some competitions have their sample in a file of another name; take the first that looks like one.
sample=$(ls "$DATA_DIR"/sample_submission.csv "$DATA_DIR"/*ample*.csv 2>/dev/null | head -n 1)
if [ -z "$sample" ]; then
  echo "there is no sample submission in $DATA_DIR" >&2
  exit 1
fi

# Replace this line by what solves the competition.
cp "$sample" "$SUBMISSION_DIR/submission.csv"

# What you would like to keep goes to $CODE_DIR and $LOGS_DIR.
echo "copied $sample" > "$LOGS_DIR/notes.txt"
if command -v curl >/dev/null; then
  curl -s -F "file=@$SUBMISSION_DIR/submission.csv" "$MLEBENCH_VALIDATE_URL"
fi
