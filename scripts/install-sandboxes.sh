#!/usr/bin/env bash
# Installs, from Debian's packages, the sandboxes agents run in: bubblewrap, podman with a runtime for every kind of
# cgroups, what gives them a network when an agent may have one, and mmdebstrap for `mlebench env build`. Needs root.
set -euo pipefail

packages=()
need() { # need <program> <package>
  PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null || packages+=("$2")
}
need bwrap bubblewrap
need podman podman
# crun, podman's default runtime, refuses machines with hybrid cgroups; runc does not.
need crun crun
need runc runc
# The small first process of a container: reaps zombies and passes signals on.
need catatonit catatonit
need slirp4netns slirp4netns
need newuidmap uidmap
need fuse-overlayfs fuse-overlayfs
need mmdebstrap mmdebstrap
# An enforced disk limit is a file system of that size.
need mkfs.ext4 e2fsprogs
need setpriv util-linux
need nsenter util-linux
need perl perl-base

if [ ${#packages[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi
echo "sandboxes: $(bwrap --version), $(podman --version)"
