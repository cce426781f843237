# Folders and files that nobody may read, deep and shallow.
. "$AGENT_DIR/submit.sh"
cd "$LOGS_DIR"
mkdir -p a/b/c/d
echo secret > a/b/c/d/file
chmod 000 a/b/c/d/file a/b/c/d a/b/c a/b a
mkdir b && echo x > b/x && chmod 000 b
cd "$CODE_DIR"
mkdir -p $(seq -s / 1 60) && chmod 000 1/2/3
chmod 000 "$LOGS_DIR" "$CODE_DIR"
