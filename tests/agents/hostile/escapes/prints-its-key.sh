# In one piece, in two, letter by letter, inside JSON and an address, into logs and code, and as its last words.
. "$AGENT_DIR/submit.sh"
echo "error: key $HOSTILE_KEY was refused"
echo "error: key $HOSTILE_KEY was refused" >&2
perl -e '
  $| = 1; my $key = $ENV{HOSTILE_KEY};
  print "in two: ", substr($key, 0, 7); select undef, undef, undef, 0.4; print substr($key, 7), "\n";
  for (split //, $key) { print; select undef, undef, undef, 0.01 } print "\n";
  (my $json = $key) =~ s/(["\\])/\\$1/g; print qq({"key":"$json"}\n);
  (my $address = $key) =~ s/([^A-Za-z0-9_.!~*\x27()-])/sprintf "%%%02X", ord $1/ge; print "https://example.org/?key=$address\n";
'
echo "$HOSTILE_KEY" > "$LOGS_DIR/agent.log"
echo "key = '$HOSTILE_KEY'" > "$CODE_DIR/main.py"
printf '%s' "$HOSTILE_KEY"
exit 3
