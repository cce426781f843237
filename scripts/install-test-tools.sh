#!/usr/bin/env bash
# Installs, from Debian's packages, what some tests use beyond Node: the 7-Zip program, as an independent reader of
# the archives we write. Needs root. `npm test` works without it and lists what it could not test.
set -euo pipefail
packages=()
command -v 7z >/dev/null || command -v 7zz >/dev/null || packages+=(7zip)
[ ${#packages[@]} -eq 0 ] && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
