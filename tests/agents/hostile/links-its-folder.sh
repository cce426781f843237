# The folder cannot be replaced where it is a mount, but what is in it can: a pipe, a folder, a link to a link.
mkfifo "$SUBMISSION_DIR/submission.csv"
sleep 1
rm "$SUBMISSION_DIR/submission.csv"
mkdir "$SUBMISSION_DIR/submission.csv"
ln -s "$HOSTILE_FILE" "$SUBMISSION_DIR/submission.csv/inside"
sleep 1
