# Links in rings, hard links, pipes and sockets instead of files.
. "$AGENT_DIR/submit.sh"
cd "$LOGS_DIR"
ln -s . here; ln -s .. up; ln -s ring-b ring-a; ln -s ring-a ring-b; ln -s / root
i=0
while [ $i -lt 500 ]; do ln -s "/etc/shadow" "s$i"; ln "$AGENT_DIR/submit.sh" "h$i" 2>/dev/null; mkfifo "p$i"; i=$((i + 1)); done
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1)'
ln -s "$SUBMISSION_DIR" "$CODE_DIR/submission"
