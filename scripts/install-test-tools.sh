#!/usr/bin/env bash
# Installs everything that some test uses beyond Node, from Debian's packages: the sandboxes, a browser, Slurm, and the 7-Zip
# program as an independent reader of the archives we write; and two coding agents from npm. Needs root. `npm test` works without any of it and lists
# what it could not test.
set -euo pipefail
here=$(dirname "$0")
bash "$here/install-sandboxes.sh"
bash "$here/install-browser.sh"
bash "$here/install-slurm.sh"
packages=()
command -v 7z >/dev/null || command -v 7zz >/dev/null || packages+=(7zip)
command -v zip >/dev/null || packages+=(zip)
command -v unzip >/dev/null || packages+=(unzip)
if [ ${#packages[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi
# Two of the coding agents, by the versions this harness was tried with.
for agent in pi codex; do node "$here/../dist/cli/main.js" agents install "$agent"; done
