#!/usr/bin/env bash
# A Slurm cluster of several nodes on this one machine, in a folder of its own: for tests, and for trying things out.
#
#   scripts/slurm-cluster.sh start <folder> [nodes]   four nodes unless told; prints how to use it
#   scripts/slurm-cluster.sh stop <folder>            ends everything, and removes the folder
#   scripts/slurm-cluster.sh kill-node <folder> n2    as if its power had been cut: all its processes are gone
#   scripts/slurm-cluster.sh start-node <folder> n2
#   scripts/slurm-cluster.sh kill-controller <folder>
#   scripts/slurm-cluster.sh start-controller <folder>
#
# Each node has process ids and a host name of its own. Needs root, and scripts/install-slurm.sh. Accounting is off.
# With SLURM_CLUSTER_OWNER=<process id> the cluster ends with that process. Several clusters on one machine share nothing.
set -euo pipefail
verb=${1:-}; folder=${2:-}
case $verb in
  start|stop|kill-node|start-node|kill-controller|start-controller) ;;
  *) folder= ;;
esac
[ -n "$folder" ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }
[ "$(id -u)" = 0 ] || { echo "only root can start nodes with process ids of their own" >&2; exit 3; }
# Debian keeps some of them where only root looks.
PATH=$PATH:/usr/sbin:/sbin
if [ "$verb" = start ]; then
  [ ! -e "$folder/slurm.conf" ] || { echo "there is a cluster in $folder already; end it first: $0 stop $folder" >&2; exit 3; }
  # `stop` removes the whole folder: it must hold nothing of anybody's.
  [ -z "$(ls -A "$folder" 2>/dev/null)" ] || { echo "$folder is not empty; name a new folder" >&2; exit 3; }
  mkdir -p "$folder"
# What `stop` removes must be what `start` made.
elif ! grep -qx "ClusterName=mlebench" "$folder/slurm.conf" 2>/dev/null; then
  echo "there is no cluster in $folder" >&2; exit 3
fi
folder=$(cd "$folder" && pwd)
export SLURM_CONF=$folder/slurm.conf

given=" "
# Sets `port` to one that nobody listens on and no other part of this cluster has.
free_port() {
  for _ in $(seq 200); do
    port=$((20000 + RANDOM % 12000))
    if [[ $given != *" $port "* ]] && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then given+="$port "; return; fi
  done
  echo "no port is free" >&2; exit 3
}

configure() {
  local count=$1 gpus=/dev/null,/dev/zero i port
  free_port
  mkdir -p "$folder"/{state,log,munge}
  chmod 755 "$folder" "$folder/munge"
  head -c 1024 /dev/urandom > "$folder/munge/key"; chmod 600 "$folder/munge/key"
  cat > "$SLURM_CONF" <<CONF
ClusterName=mlebench
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0,bf_interval=5
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=15
GresTypes=gpu
JobRequeue=1
MinJobAge=60
MaxArraySize=1001
ReturnToService=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MailProg=/bin/true
MpiDefault=none
CONF
  for i in $(seq "$count"); do
    free_port
    echo "NodeName=n$i NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:2 Feature=f$i State=UNKNOWN" >> "$SLURM_CONF"
    # Not GPUs, but files that Slurm can hand out.
    echo "NodeName=n$i Name=gpu Count=2 File=$gpus" >> "$folder/gres.conf"
  done
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=2-00:00:00 PriorityTier=1 State=UP" >> "$SLURM_CONF"
  echo "PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF State=UP" >> "$SLURM_CONF"
}

start_munge() {
  munged --force --socket "$folder/munge/socket" --key-file "$folder/munge/key" --pid-file "$folder/munge/pid" \
    --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
}

start_controller() { slurmctld -i "$@"; }

start_node() {
  mkdir -p "$folder/spool-$1"
  # The first process of its own process ids: with it the kernel ends everything that runs on the node.
  setsid unshare --pid --fork --mount-proc --uts --kill-child -- bash -c '
    hostname "$1"; slurmd -D -N "$1" & wait' node "$1" >"$folder/log/node-$1.log" 2>&1 </dev/null &
  echo $! > "$folder/node-$1.pid"
}

# A number in a file may be somebody else's process by now: only those that this cluster started are ended.
is_ours() { grep -zqxF "SLURM_CONF=$SLURM_CONF" "/proc/$1/environ" 2>/dev/null; }

kill_by_file() {
  local pid; pid=$(cat "$1" 2>/dev/null) || return 0
  is_ours "$pid" && kill -9 "$pid" 2>/dev/null || true
  for _ in $(seq 100); do is_ours "$pid" || break; sleep 0.1; done
  rm -f "$1"
}

kill_node() { kill_by_file "$folder/node-$1.pid"; }

# The daemons that are left; those of a node end a moment after it.
daemons() {
  local place name
  for place in /proc/[0-9]*; do
    { read -r name <"$place/comm"; } 2>/dev/null || continue
    case $name in
      slurmctld|slurmd|slurmstepd|munged) ! is_ours "${place#/proc/}" || echo "${place#/proc/}" ;;
    esac
  done
}

wait_for_nodes() {
  for _ in $(seq 300); do
    [ "$(sinfo -h -N -p main -t idle,mix,alloc -o %N 2>/dev/null | sort -u | wc -l)" -ge "$1" ] && return
    sleep 0.2
  done
  return 1
}

start_all() {
  configure "$1" && start_munge && start_controller -c || return 1
  local i
  for i in $(seq "$1"); do start_node "n$i"; done
  wait_for_nodes "$1"
}

# Ends the cluster when whoever wanted it is gone, so that none outlives a test that was killed.
start_guard() {
  local owner=$1
  setsid bash -c '
    while kill -0 "$2" 2>/dev/null && [ -e "$3/slurm.conf" ]; do sleep 2; done
    [ ! -e "$3/slurm.conf" ] || exec bash "$1" stop "$3"' guard "$(cd "$(dirname "$0")" && pwd)/${0##*/}" "$owner" "$folder" >/dev/null 2>&1 </dev/null &
}

stop_all() {
  local file name
  for file in "$folder"/node-*.pid; do [ -e "$file" ] && { name=${file##*/node-}; kill_node "${name%.pid}"; }; done
  kill_by_file "$folder/slurmctld.pid"
  kill_by_file "$folder/munge/pid"
  local left; left=$(daemons)
  for _ in $(seq 100); do
    [ -n "$left" ] || return 0
    sleep 0.1; left=$(daemons)
  done
  # One whose number was never written down.
  kill -9 $left 2>/dev/null || true
}

case $verb in
  start)
    count=${3:-4}
    # Between finding a port and listening there somebody else may have taken it: once more, with others.
    if ! start_all "$count"; then
      stop_all
      rm -rf "${folder:?}"/{state,munge,spool-*,*.conf}; mkdir -p "$folder"
      start_all "$count" || { echo "the nodes do not come up; see $folder/log" >&2; tail -n 5 "$folder"/log/*.log >&2; stop_all; exit 1; }
    fi
    [ -z "${SLURM_CLUSTER_OWNER:-}" ] || start_guard "$SLURM_CLUSTER_OWNER"
    echo "export SLURM_CONF=$SLURM_CONF"
    ;;
  stop)
    stop_all
    rm -rf "$folder"
    ;;
  kill-node) kill_node "$3" ;;
  start-node) start_node "$3" ;;
  kill-controller) kill_by_file "$folder/slurmctld.pid" ;;
  start-controller) start_controller ;;
esac
