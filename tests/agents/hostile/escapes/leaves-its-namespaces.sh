# Ends with 9 if it got a namespace of its own, another root or a mount.
. "$AGENT_DIR/submit.sh"
for what in --user --pid --net --mount --uts --ipc --cgroup "--user --map-root-user --mount --pid --fork"; do
  unshare $what true 2>/dev/null && { echo "unshare $what"; found=1; }
done
nsenter --target 1 --mount true 2>/dev/null && { echo nsenter; found=1; }
chroot / true 2>/dev/null && { echo chroot; found=1; }
mount -t tmpfs none /mnt 2>/dev/null && { echo mount; found=1; }
mount --bind /tmp /mnt 2>/dev/null && { echo bind; found=1; }
umount /home/data 2>/dev/null && { echo umount; found=1; }
[ -z "$found" ] || exit 9
exit 0
