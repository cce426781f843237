# What every one of them does first. Renamed into place, and given a moment so that the harness sees it.
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/.new"
mv "$SUBMISSION_DIR/.new" "$SUBMISSION_DIR/submission.csv"
