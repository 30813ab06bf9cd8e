#!/usr/bin/env bash
# A real Slurm on this one machine measures the shards of a config, and nodes and followers die:
#   tests/reliability/slurm.sh [--program FILE]
# Three nodes, a task each. A node dies with its task; then the one who follows is interrupted, and
# then killed, and the same command goes on. Each result must be equal to that of a run without
# Slurm by `bloomlab canon`, and nothing may lie beside it. Needs root and (Debian) slurmctld, slurmd,
# slurm-client, munge and iproute2: exit status 77 where they are not. Takes about three minutes. All
# runs in namespaces of its own, with a network that leads nowhere, and ends with this script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=build/release/bloomlab
while (($#)); do
  case $1 in
    --program) program=${2:?}; shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
program=$(realpath "$program")
left_out() {
  echo "slurm: left out: $1"
  exit 77
}
((EUID == 0)) || left_out "it needs root"
for needed in slurmctld slurmd sbatch munged ip unshare; do
  command -v "$needed" >/dev/null || left_out "there is no $needed"
done
if [[ ${SLURM_SH_INSIDE:-} != yes ]]; then
  spaces=(--pid --fork --kill-child --mount --mount-proc --net)
  unshare "${spaces[@]}" ip link set lo up 2>/dev/null || left_out "no namespaces can be made here"
  SLURM_SH_INSIDE=yes exec unshare "${spaces[@]}" bash "${BASH_SOURCE[0]}" --program "$program"
fi

work=$(mktemp -d)
chmod 755 "$work"  # munged's socket is in it
trap 'rm -rf "$work"' EXIT
# A loopback address alone counts as no network when names are looked up.
ip link set lo up
ip address add 10.0.0.1/32 dev lo

head -c 128 /dev/urandom >"$work/key"
chmod 400 "$work/key"
nodes=(n1 n2 n3)
mkdir "$work/state" "${nodes[@]/#/$work/spool-}"
cat >"$work/slurm.conf" <<END
ClusterName=bloomlab
SlurmctldHost=$(hostname)(10.0.0.1)
SlurmUser=root
AuthInfo=socket=$work/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=10
KillWait=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n.log
SlurmdParameters=config_overrides
NodeName=n[1-3] NodeHostname=$(hostname) NodeAddr=10.0.0.1 Port=[7001-7003] CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf

# until_true SECONDS WHAT COMMAND...: waits for it, or ends with the logs.
until_true() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < end)) || fail "$what: not within its time"
    sleep 0.2
  done
}
fail() {
  echo "slurm: $1" >&2
  tail -n 12 "$work/slurmctld.log" "$work"/said.munged "$work"/said.n? >&2 || true
  cat "$work/said.follower" >&2 2>/dev/null || true
  exit 1
}

munged --foreground --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/seed" 2>"$work/said.munged" &
until_true 20 munged test -S "$work/munge"
slurmctld -D >"$work/said.slurmctld" 2>&1 &
start_node() {
  slurmd -D -N "$1" >"$work/said.$1" 2>&1 &
  disown  # that it is killed is no news
}
for node in "${nodes[@]}"; do start_node "$node"; done
are_idle() { [[ $(sinfo --noheader --Node --format=%T 2>/dev/null | grep -c '^idle$') == 3 ]]; }
until_true 60 "three idle nodes" are_idle

mkdir "$work/a config"
config="$work/a config/small.json"
cat >"$config" <<'END'
{"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "By Slurm", "question": "Are counts the same when a node dies?", "seed": 46,
 "trials": 600, "queries": 200000,
 "grid": {"keys": {"source": "uniform"}, "n": 50000,
  "filter": {"kind": "standard", "m": {"per_n": [6, 8, 10, 12]}, "k": [3, 5, 7]},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}}}
END
"$program" run "$config" --out "$work/whole" >/dev/null 2>&1
"$program" canon "$work/whole" >"$work/whole.txt"

# follow FOLDER: the command under test, on its way; its words are in said.follower.
follow() {
  "$program" run "$config" --out "$1" --slurm 5 >>"$work/said.follower" 2>&1 &
  follower=$!
}
# ends STATUS WHAT: waits for the one who follows.
ends() {
  local status=0
  wait "$follower" || status=$?
  ((status == $1)) || fail "$2: exit status $status"
}
compare() {
  "$program" canon "$2" | grep -v '\.shard-' | cmp - "$work/whole.txt" || fail "$1: differs"
  [[ ! -e $2/.partial ]] || fail "$1: left behind: $(ls "$2/.partial")"
  echo "slurm: $1: equal"
}
# A task of the node, its shard, and whether it has a part of its results in the journal.
task_of() { grep -lsz "^SLURMD_NODENAME=$1$" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\).*|\1|'; }
shard_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/^SLURM_ARRAY_TASK_ID=//p'; }
has_begun() {
  local task shard
  task=$(task_of n2 | tail -n 1)
  [[ -n $task ]] || return 1
  shard=$(shard_of "$task") || return 1
  [[ $(wc -l 2>/dev/null <"$1/.partial/small.shard-$shard-of-5.jsonl") -gt 20 ]]
}

folder="$work/one node's %death"
follow "$folder"
until_true 60 "a task on n2" has_begun "$folder"
task=$(task_of n2 | tail -n 1)
shard=$(shard_of "$task")
step=$(ps -o ppid= -p "$task")
log=$(echo "$folder"/.partial/bloomlab-*."$shard".log)
ln "$log" "$work/task.log"  # the follower removes it
kill -9 "$(cat "$work/n2.pid")" "$step" "$task"
ends 0 "a node that died"
grep -q 'round 2 of 3' "$work/said.follower" || fail "a node died, and nothing was submitted again"
grep -q 'observations\{0,1\} w[a-z]* there' "$work/task.log" || fail "shard $shard began anew"
compare "a node that died with its task" "$folder"
start_node n2
until_true 60 "three idle nodes" are_idle

folder=$work/interrupted
follow "$folder"
until_true 60 "a task on n2" has_begun "$folder"
kill "$follower"
ends 143 "an interrupted follower"
no_task_is_there() { [[ -z $(squeue --noheader) ]]; }
until_true 20 "an array that is cancelled" no_task_is_there
follow "$folder"
until_true 60 "a task on n2" has_begun "$folder"
kill -9 "$follower"
wait "$follower" 2>/dev/null || true
before=$(grep -c 'job [0-9]* with' "$work/said.follower")
follow "$folder"
ends 0 "a second follower"
[[ $(grep -c 'job [0-9]* with' "$work/said.follower") == "$before" ]] ||
  fail "a second follower submitted anew what was under way"
compare "followers that were interrupted and killed" "$folder"
