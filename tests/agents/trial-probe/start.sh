#!/bin/sh
# Copies the sample submission, has it validated, and leaves a log and some code.
echo "seed $MLEBENCH_SEED on $COMPETITION_ID"
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
sh "${AGENT_DIR%/agent}/validate_submission.sh" "$SUBMISSION_DIR/submission.csv" > "$LOGS_DIR/validation.json"
echo "done" > "$LOGS_DIR/agent.log"
echo "print('hello')" > "$CODE_DIR/train.py"
