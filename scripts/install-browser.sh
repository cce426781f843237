#!/usr/bin/env bash
# Installs, from Debian's packages, the browser in which the tests open the HTML report. Needs root. `npm test` works
# without it and lists what it could not test.
set -euo pipefail
if ! command -v chromium >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
fi
echo "browser: $(chromium --version)"
