#!/bin/sh
# Gets what `npm run bench -- repositories` maps: five Python packages of Debian, downloaded and unpacked below .bench,
# never installed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder="$root/.bench/repositories"
mkdir -p "$folder"
cd "$folder"
apt-get download python3-sklearn python3-pandas python3-statsmodels python3-skimage python3-nltk
for package in *.deb; do
  dpkg-deb -x "$package" unpacked
  rm "$package"
done
ls unpacked/usr/lib/python3/dist-packages
