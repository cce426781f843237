#!/usr/bin/env bash
# Runs a command as on a machine that has Node, npm and what every Debian has, and nothing else that the project can
# use: `bash scripts/on-a-bare-machine.sh npm test`. The tools are hidden in a mount namespace of the command's own;
# nothing of this machine changes. Where a namespace cannot be made, the command gets a PATH without them instead, and
# the first line of output says which of the two it was.
set -euo pipefail

hidden=(
  bwrap podman docker buildah crun runc conmon catatonit slirp4netns pasta passt newuidmap newgidmap fuse-overlayfs
  mmdebstrap debootstrap mkfs.ext4 mke2fs apptainer singularity
  chromium chromium-browser google-chrome google-chrome-stable firefox
  7z 7za 7zr 7zz zip unzip bsdtar zstd
  python python2 python3 pip pip3 uv conda R julia gcc g++ cc c++ clang make cmake go cargo rustc
  curl wget jq kaggle claude codex gemini aider sbatch squeue
)

folders_of_path() { tr ':' '\n' <<<"$PATH:/usr/local/sbin:/usr/sbin:/sbin" | awk 'NF && !seen[$0]++'; }

# Every place on PATH where one of them lies, with versioned names such as python3.11.
places() {
  local folder name file
  while read -r folder; do
    for name in "${hidden[@]}"; do
      for file in "$folder/$name" "$folder/$name".[0-9]* "$folder/$name"-[0-9]*; do
        [ -e "$file" ] || [ -L "$file" ] && printf '%s\n' "$file"
      done
    done
  done < <(folders_of_path)
  return 0
}

# Inside the namespace: a layer over each folder from which the tools are taken away, or nothing executable in their
# place where the kernel has no such layer.
if [ "${1:-}" = --inside ]; then
  shift
  # Private, so that no mount gets out; what is left running goes with the namespace.
  scratch=$(mktemp -d)
  mount -t tmpfs tmpfs "$scratch"
  declare -A layered=()
  number=0
  while read -r file; do
    folder=$(cd "$(dirname "$file")" && pwd -P)
    file=$folder/$(basename "$file")
    if [ -z "${layered[$folder]:-}" ]; then
      number=$((number + 1))
      mkdir -p "$scratch/$number/upper" "$scratch/$number/work"
      if mount -t overlay overlay -o "lowerdir=$folder,upperdir=$scratch/$number/upper,workdir=$scratch/$number/work" \
        "$folder" 2>/dev/null; then
        layered[$folder]=yes
      else
        layered[$folder]=no
      fi
    fi
    if [ "${layered[$folder]}" = yes ]; then
      rm -f "$file"
    elif [ -e "$file" ]; then
      mount --bind /dev/null "$(readlink -f "$file")" 2>/dev/null || true
    fi
  done < <(places)
  for name in "${hidden[@]}"; do
    if command -v "$name" >/dev/null; then
      echo "bare machine: $name could not be hidden" >&2
      exit 3
    fi
  done
  for needed in node npm; do
    if ! command -v "$needed" >/dev/null; then
      echo "bare machine: $needed was hidden too" >&2
      exit 3
    fi
  done
  exec "$@"
fi

if [ $# -eq 0 ]; then
  echo "usage: scripts/on-a-bare-machine.sh <command> [arguments]" >&2
  exit 2
fi

# The settings that let a missing tool be a failure, or lead to tools elsewhere, are not set on such a machine.
unset MLEBENCH_REQUIRE_ALL CHROMIUM_PATH DOCKER_HOST CONTAINER_HOST

namespace=(unshare --mount --propagation private)
[ "$(id -u)" = 0 ] || namespace=(unshare --user --map-root-user --mount --propagation private)
if "${namespace[@]}" bash "$0" --inside true 2>/dev/null; then
  echo "bare machine: the tools are hidden in a mount namespace"
  exec "${namespace[@]}" bash "$0" --inside "$@"
fi

echo "bare machine: no mount namespace can be made here; the tools are left out of PATH instead"
farm=$(mktemp -d)
trap 'rm -rf "$farm"' EXIT
declare -A out=()
while read -r file; do out[$(basename "$file")]=1; done < <(places)
while read -r folder; do
  [ -d "$folder" ] || continue
  for file in "$folder"/*; do
    name=$(basename "$file")
    if [ -x "$file" ] && [ -z "${out[$name]:-}" ] && [ ! -e "$farm/$name" ]; then ln -s "$file" "$farm/$name"; fi
  done
done < <(folders_of_path)
PATH=$farm "$@"
