#!/usr/bin/env bash
# Kills runs at random moments, resumes them, and compares with a run left alone:
#   tests/reliability/kills.sh [--kills N] [--seed S] [--config FILE] [--program FILE]
# Chains go through five ways to run in turn: one thread, two threads, --force, two shards, two
# processes in one folder. After a chain the result must be equal byte for byte by `bloomlab canon`,
# and nothing may lie beside it. Then a full disk, a limit of file size, a read-only and a removed
# folder. Prints counts; exit status 1 where something differs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

kills=200 seed=1 config=configs/lab_report/lab_report.json program=build/release/bloomlab
while (($#)); do
  case $1 in
    --kills) kills=${2:?}; shift ;;
    --seed) seed=${2:?}; shift ;;
    --config) config=${2:?}; shift ;;
    --program) program=${2:?}; shift ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
program=$(realpath "$program")
RANDOM=$seed
work=$(mktemp -d)
mounted=
clean_up() {
  [[ -z $mounted ]] || umount "$mounted" || true
  rm -rf "$work"
}
trap clean_up EXIT

stem=$(basename "$config" .json)
began=$(date +%s%N)
"$program" run "$config" --out "$work/whole" >/dev/null
duration=$((($(date +%s%N) - began) / 1000000)) # [ms]
"$program" canon "$work/whole" >"$work/whole.txt"
for shard in 1/2 2/2; do
  "$program" run "$config" --out "$work/parts" --shard $shard >/dev/null 2>&1
done
"$program" canon "$work/parts" >"$work/shards.txt"

done_kills=0 chains=0 different=0 orphans=0
declare -A kills_of

# run_killed FOLDER OPTION...: starts a run and kills it after a random time; 1 when it ended first.
run_killed() {
  local folder=$1 wait pid
  shift
  wait=$((RANDOM % (duration + 1) * 2 / 3))
  "$program" run "$config" --out "$folder" "$@" >/dev/null 2>"$work/said" &
  pid=$!
  sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
  if kill -9 "$pid" 2>/dev/null; then
    wait "$pid" 2>/dev/null || true
    done_kills=$((done_kills + 1))
    return 0
  fi
  wait "$pid" || true
  return 1
}

# compare WAY FOLDER: the folder against the run left alone.
compare() {
  local way=$1 folder=$2 expected=$work/whole.txt
  [[ $way != shards ]] || expected=$work/shards.txt
  if ! "$program" canon "$folder" >"$work/chain.txt" 2>"$work/said" ||
    ! cmp -s "$expected" "$work/chain.txt"; then
    different=$((different + 1))
    echo "differs: $way: $(head -n 1 "$work/said")"
  fi
  local left
  left=$(cd "$folder" && find . -type f ! -name '*.json' | sort | tr '\n' ' ')
  if [[ -n $left ]]; then
    orphans=$((orphans + 1))
    echo "left behind: $way: $left"
  fi
}

ways=(one two force shards processes)
while ((done_kills < kills)); do
  way=${ways[chains % ${#ways[@]}]}
  folder=$work/chain
  rm -rf "$folder"
  before=$done_kills
  most=$((1 + RANDOM % 6))
  case $way in
    one) for ((i = 0; i < most; ++i)); do run_killed "$folder" --jobs 1 || break; done ;;
    two) for ((i = 0; i < most; ++i)); do run_killed "$folder" --jobs 2 || break; done ;;
    force)
      mkdir -p "$folder"
      cp "$work/whole/$stem.json" "$folder"
      run_killed "$folder" --force || true
      for ((i = 1; i < most; ++i)); do run_killed "$folder" || break; done
      ;;
    shards)
      for shard in 1/2 2/2; do
        for ((i = 0; i < (most + 1) / 2; ++i)); do run_killed "$folder" --shard $shard || break; done
        "$program" run "$config" --out "$folder" --shard $shard >/dev/null 2>&1
      done
      ;;
    processes)
      for ((i = 0; i < most; ++i)); do
        "$program" run "$config" --out "$folder" >/dev/null 2>&1 &
        other=$!
        run_killed "$folder" || true
        if kill -9 "$other" 2>/dev/null; then done_kills=$((done_kills + 1)); fi
        wait "$other" 2>/dev/null || true
      done
      ;;
  esac
  [[ $way == shards ]] || "$program" run "$config" --out "$folder" >/dev/null 2>&1
  compare "$way" "$folder"
  kills_of[$way]=$((${kills_of[$way]:-0} + done_kills - before))
  chains=$((chains + 1))
done
for way in "${ways[@]}"; do echo "$way: ${kills_of[$way]:-0} kills"; done
echo "$done_kills kills in $chains chains: $different differ, $orphans left something behind"

# fault NAME FOLDER STATUS: what the run said; it failed, or is whole all the same; and it is whole
# when it is run again.
fault() {
  local name=$1 folder=$2 status=$3
  local said
  said=$(grep -m 1 '^bloomlab: ' "$work/said" || true)
  echo "$name: exit $status: ${said//$work/DIR}"
  ((status != 0)) || compare "$name" "$folder"
  "$program" run "$config" --out "$folder" >/dev/null 2>&1
  compare "$name" "$folder"
}

if ((EUID == 0)) && mkdir "$work/small" && mount -t tmpfs -o size=24k bloomlab "$work/small" 2>/dev/null; then
  mounted=$work/small
  status=0
  "$program" run "$config" --out "$work/small" >/dev/null 2>"$work/said" || status=$?
  mount -o remount,size=16m "$work/small"
  fault "full disk" "$work/small" $status
  rm -rf "$work/small"/*
  mount -o remount,ro "$work/small"
  status=0
  "$program" run "$config" --out "$work/small" >/dev/null 2>"$work/said" || status=$?
  mount -o remount,rw "$work/small"
  fault "read-only folder" "$work/small" $status
else
  echo "full disk, read-only folder: left out; they need root and mount"
fi
status=0
(ulimit -f 8 && trap '' XFSZ && exec "$program" run "$config" --out "$work/limited") >/dev/null \
  2>"$work/said" || status=$?
fault "limit of file size" "$work/limited" $status
"$program" run "$config" --out "$work/removed" >/dev/null 2>"$work/said" &
pid=$!
sleep "$((duration / 3000)).$(printf %03d $((duration / 3 % 1000)))"
rm -rf "$work/removed"
status=0
wait $pid || status=$?
fault "removed folder" "$work/removed" $status
((different == 0 && orphans == 0))
