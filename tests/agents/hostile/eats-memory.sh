. "$AGENT_DIR/submit.sh"
sleep 0.3
exec perl -e 'my @pieces; while (1) { push @pieces, "x" x (8 * 1024 * 1024) }'
