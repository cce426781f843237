# A tree whose paths are longer than the system allows, with links and pipes on the way, and behind it.
. "$AGENT_DIR/submit.sh"
name=$(printf 'd%.0s' $(seq 1 200))
cd "$LOGS_DIR"
i=0
while [ $i -lt 60 ]; do
  ln -s /etc/shadow "link-$i"
  mkfifo "pipe-$i"
  echo deep > "file-$i"
  mkdir "$name" && cd -P -- "./$name" || break
  i=$((i + 1))
done
cd "$LOGS_DIR"
ln -s /etc/shadow z-link
mkfifo z-pipe
echo kept > z-file
