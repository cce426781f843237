# A field that never ends.
{ printf 'id,EAP,HPL,MWS\n"'; head -c 30000000 /dev/zero | tr '\0' x; } > "$SUBMISSION_DIR/.new"
mv "$SUBMISSION_DIR/.new" "$SUBMISSION_DIR/submission.csv"
