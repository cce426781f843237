#!/bin/sh
# Installs what `npm run bench -- grade` compares against (Debian's pandas, scikit-learn and Levenshtein for
# /usr/bin/python3) and what the reference rungs of the starter suite are made with (xgboost, torch, Pillow:
# `npm run field -- --rungs`). Nothing else in the project needs them.
set -eu
apt-get update
apt-get install --yes --no-install-recommends python3-pandas python3-sklearn python3-levenshtein \
  python3-xgboost python3-torch python3-pil
