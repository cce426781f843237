#!/bin/bash
# Runs a command where /dev has two devices that look like GPUs: a /dev of its own, so that the machine's stays as it is.
# Usage, in a mount namespace of its own: private-dev.sh <command...>
set -e
keep=$(mktemp -d)
mount --rbind /dev "$keep"
mount -t tmpfs -o mode=755 tmpfs /dev
for name in null zero full random urandom tty; do
  [ -e "$keep/$name" ] && { touch "/dev/$name"; mount --bind "$keep/$name" "/dev/$name"; }
done
mkdir /dev/shm /dev/pts && mount --rbind "$keep/shm" /dev/shm && mount --rbind "$keep/pts" /dev/pts
for name in fd stdin stdout stderr; do ln -s "$(readlink "$keep/$name")" "/dev/$name"; done
for name in nvidia0 nvidia1 nvidiactl nvidia-uvm; do mknod -m 666 "/dev/$name" c 1 3; done
umount -l "$keep"; rmdir "$keep"
exec "$@"
