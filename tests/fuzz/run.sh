#!/usr/bin/env bash
# Fuzzes the readers: tests/fuzz/run.sh [--seconds S | --runs N] [TARGET...]
# Builds the preset "fuzz" (clang 14 or later), seeds each target from files of the project, and runs
# it; prints a line each. What it finds lies in build/fuzz/finds/TARGET. Exit status 1 for a find.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"
  exit "$1"
}

limit=-max_total_time=15
targets=()
while (($#)); do
  case $1 in
    --seconds) limit=-max_total_time=${2:?--seconds needs a number}; shift ;;
    --runs) limit=-runs=${2:?--runs needs a number}; shift ;;
    -h | --help) usage 0 ;;
    -*) usage 2 >&2 ;;
    *) targets+=("$1") ;;
  esac
  shift
done

build=build/fuzz
[[ -f $build/build.ninja ]] || cmake --preset fuzz >/dev/null
all=()
for source in tests/fuzz/*.cpp; do all+=("$(basename "$source" .cpp)"); done
((${#targets[@]})) || targets=("${all[@]}")
for target in "${targets[@]}"; do
  [[ " ${all[*]} " == *" $target "* ]] || {
    echo "tests/fuzz/run.sh: there is no target \"$target\"; allowed: ${all[*]}" >&2
    exit 2
  }
done
ninja -C "$build" "${targets[@]/#/fuzz_}" >"$build/fuzz_build.log" || {
  tail -n 30 "$build/fuzz_build.log" >&2
  exit 1
}

# Small files of the project that the target reads; "prefix" bytes say how filters are to be read.
seeds_of() {
  local to=$2
  case $1 in
    saved_filter)
      local number=0 file
      for file in tests/core/golden/*.hex; do
        for ((number = 0; number < 26; ++number)); do
          { printf "\\x$(printf %x "$number")\\x0\\x10"; xxd -r -p "$file"; } \
            >"$to/$(basename "$file" .hex)-$number"
        done
      done
      ;;
    json | config) find configs -name '*.json' -size -8k -exec cp --backup=numbered -t "$to" {} + ;;
    result) find results -maxdepth 1 -name '*.json' -size -24k -exec cp --backup=numbered -t "$to" {} + ;;
    inspect)
      local number file
      for file in tests/formats/fixtures/*; do
        for number in {0..15} 255; do
          { printf "\\x$(printf %x "$number")"; head -c 65536 "$file"; } >"$to/$(basename "$file")-$number"
        done
        for wrapper in "gzip -c" base64 "xxd -p"; do  # of the first 4 KiB
          { printf "\\xff"; head -c 4096 "$file" | $wrapper; } >"$to/$(basename "$file")-${wrapper%% *}"
        done
      done
      ;;
    lab)
      printf '{"format":"bloomlab-lab-1","language":"cpp","lang":"en"}' >"$to/assignment"
      printf '{"format":"bloomlab-lab-cases-1","seed":1,"limits":{"seconds":10,"memory_mib":256},"cases":[{"name":"a","keys":"texts","n":10,"bits_per_key":9.5,"fpr":0.01,"queries":9}]}' >"$to/cases"
      ;;
    page) find configs -name '*.page*.md' -exec cp --backup=numbered -t "$to" {} + ;;
    claims) find configs/claims -name '*.json' -size -32k -exec cp --backup=numbered -t "$to" {} + ;;
    quantity) printf '%s\n' 10M '10 000 000 keys' 1.5k 0.01% '1 in 1000000' 64MiB 1KB 5ms 20k/s \
      0.05/GiB | split -l 1 - "$to/quantity" ;;
    greeting) printf 'bloomlab-filter 1 text name=mine version=1.0 removes saves help=k: number' >"$to/one" ;;
    frames)
      local calls='\xff\x8\0\x2\x5\x6\x8\xa\xd\xe' zero='\0\0\0\0\0\0\0'
      local ok="\\0$zero"
      printf "\\0${calls}ok\nok\n101\n64\nok\n00ff\nok\nok\n" >"$to/text"
      {
        printf "\\1$calls$ok$ok$ok$ok$ok\3$zero\1\0\1$ok\x8$zero@$zero"
        printf "$ok$ok$ok\2${zero}ab$ok$ok$ok$ok"
      } >"$to/binary"
      ;;
    keys) printf 'apple\r\npear\n\napple\nfig' >"$to/one" ;;
    *) : ;;
  esac
}

status=0
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target
  finds=$build/finds/$target
  log=$build/$target.log
  mkdir -p "$corpus" "$finds"
  [[ -n $(ls -A "$corpus") ]] || seeds_of "$target" "$corpus"
  options=("$limit" -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 "-artifact_prefix=$finds/")
  [[ -f tests/fuzz/dictionaries/$target.dict ]] && options+=("-dict=tests/fuzz/dictionaries/$target.dict")
  ended=found
  "$build/tests/fuzz/fuzz_$target" "${options[@]}" "$corpus" >"$log" 2>&1 && ended=clean
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  covered=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 || true)  # none where a seed is a find
  echo "$target: ${runs:-0} executions, ${covered:-cov: 0} edges, $ended"
  if [[ $ended == found ]]; then
    grep -m 3 -E 'ERROR|SUMMARY|Test unit written' "$log" || tail -n 3 "$log"
    status=1
  fi
done
exit $status
