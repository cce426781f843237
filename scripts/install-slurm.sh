#!/usr/bin/env bash
# Installs Slurm and munge from Debian's packages, for tests and for trying things out; scripts/slurm-cluster.sh starts a
# cluster of four nodes on this machine. Nothing is started here. Needs root.
set -euo pipefail
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
  apt-get update -qq
  # The packages would start services of the machine's own, which have no configuration to start with.
  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d.mlebench && chmod +x /usr/sbin/policy-rc.d.mlebench
  trap 'rm -f /usr/sbin/policy-rc.d.mlebench' EXIT
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    mv /usr/sbin/policy-rc.d.mlebench /usr/sbin/policy-rc.d
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge util-linux
fi
echo "slurm: $(slurmctld -V)"
