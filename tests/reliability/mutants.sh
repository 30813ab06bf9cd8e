#!/usr/bin/env bash
# Changes one thing of a source at a time, and counts how often the module's tests notice:
#   tests/reliability/mutants.sh --seed S [--mutants N] [--part I/N] [--minutes M] [--out FOLDER] [--fresh]
# The places are drawn by S from core, formats and statistics (mutants.awk says which there are).
# A mutant is killed where a test program of its module fails (core/theory has that of the theory and
# that of core), or takes half a minute longer than three times what it took; one that does not
# compile is none, and the next one drawn takes its place. A survivor counts unless
# equivalent_mutants.tsv says why no test can notice it. Every outcome is a line of
# FOLDER/mutants.tsv (build/mutants/part-I unless told); the same command goes on where it was ended,
# unless --fresh begins anew. It tries the last commit, not the working tree.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

say() { sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
seed='' wanted=300 part=1/1 minutes=0 out='' fresh=no
while (($#)); do
  case $1 in
    --seed) seed=${2:?}; shift ;;
    --mutants) wanted=${2:?}; shift ;;
    --part) part=${2:?}; shift ;;
    --minutes) minutes=${2:?}; shift ;;
    --out) out=${2:?}; shift ;;
    --fresh) fresh=yes ;;
    -h | --help) say; exit 0 ;;
    *) say >&2; exit 2 ;;
  esac
  shift
done
[[ $seed =~ ^[0-9]{1,9}$ && $wanted =~ ^[0-9]+$ && $minutes =~ ^[0-9]+$ && $part =~ ^[0-9]+/[1-9][0-9]*$ ]] ||
  { say >&2; exit 2; }
((${part%/*} >= 1 && ${part%/*} <= ${part#*/})) || { say >&2; exit 2; }
out=${out:-build/mutants/part-${part%/*}}
[[ $fresh == no || ! -f $out/drawn_by ]] || rm -r "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
commit=$(git rev-parse HEAD)
record=$out/mutants.tsv
[[ -f $out/drawn_by ]] || echo "$seed $part $commit" >"$out/drawn_by"
[[ $(<"$out/drawn_by") == "$seed $part $commit" ]] ||
  { echo "$out was drawn by seed, part and commit $(<"$out/drawn_by"); take another --out, or --fresh" >&2; exit 2; }
touch "$record"

tree=$out/tree
[[ -e $tree/CMakeLists.txt ]] || { mkdir -p "$tree"; git archive "$commit" | tar x -C "$tree"; }
cd "$tree"
# What an ended run left changed stands again as it was.
if [[ -f $out/changed ]]; then cp "$out/original" "$(<"$out/changed")"; rm "$out/changed"; fi

# A generator of Park and Miller gives each place a number; the least ones are drawn.
if [[ ! -s $out/drawn.tsv ]]; then
  find core formats statistics -name '*.[ch]pp' | sort |
    xargs awk -f "$here/mutants.awk" |
    awk -F '\t' -v seed="$seed" 'BEGIN { x = seed % 2147483646 + 1; for (i = 0; i < 100; ++i) x = x * 48271 % 2147483647 }
      { x = x * 48271 % 2147483647; printf "%d\t%s\n", x, $0 }' |
    sort -n -k1,1 | cut -f 2- |
    awk -v i="${part%/*}" -v n="${part#*/}" '(NR - 1) % n == i - 1' >"$out/drawn.tsv"
fi
((wanted = (wanted + ${part#*/} - ${part%/*}) / ${part#*/}, 1))

modules_of() {
  case $1 in core/theory/*) echo theory core ;; *) echo "${1%%/*}" ;; esac
}
build() { # TARGET...
  cmake --build "$out/build" --parallel "${BLOOMLAB_JOBS:-1}" --target "$@" >"$out/build.log" 2>&1
}
tests_pass() { # MODULE SECONDS; 0 when all pass
  (ulimit -v 12582912; exec timeout -k 5 "$2" "$out/build/tests/test_$1" --abort) >"$out/test.log" 2>&1
}

cmake -S . -B "$out/build" -G Ninja -D CMAKE_BUILD_TYPE=RelWithDebInfo -D CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 \
  -D BLOOMLAB_BUILD_TESTS=ON >"$out/configure.log" 2>&1 || { tail -n 20 "$out/configure.log" >&2; exit 1; }
echo "building the tests of four modules in $out/build"
build test_core test_theory test_formats test_statistics || { tail -n 20 "$out/build.log" >&2; exit 1; }
for module in core theory formats statistics; do
  [[ ! -s $out/usual-$module ]] || continue
  began=$SECONDS
  tests_pass $module 1200 || { echo "the tests of $module fail without any mutant: see $out/test.log" >&2; exit 1; }
  echo $((SECONDS - began + 1)) >"$out/usual-$module"
done

# In the words of equivalent_mutants.tsv: FILE TAB LINE WITHOUT MARGINS TAB FROM TAB TO TAB REASON
equivalent() {
  file=$1 line=$2 from=$3 to=$4 awk -F '\t' '$1 == ENVIRON["file"] && $2 == ENVIRON["line"] &&
    $3 == ENVIRON["from"] && $4 == ENVIRON["to"] { found = 1 } END { exit !found }' "$here/equivalent_mutants.tsv"
}

tried() { awk -F '\t' '$6 != "no program"' "$record" | wc -l; }
already=$(wc -l <"$record")
began_all=$SECONDS
while IFS=$'\t' read -r -u 3 file line column from to; do
  if ((already > 0)); then already=$((already - 1)); continue; fi
  (($(tried) < wanted)) || break
  ((minutes == 0 || SECONDS - began_all < 60 * minutes)) || break
  cp "$file" "$out/original"
  text=$(sed -n "${line}p" "$file")
  echo "$file" >"$out/changed"
  from=$from to=$to awk -v line="$line" -v column="$column" 'FNR == line {
      $0 = substr($0, 1, column - 1) ENVIRON["to"] substr($0, column + length(ENVIRON["from"])) } { print }' \
    "$out/original" >"$file"
  began=$SECONDS
  outcome=survived
  for module in $(modules_of "$file"); do
    if ! build "test_$module"; then outcome="no program"
    elif ! tests_pass "$module" $((3 * $(<"$out/usual-$module") + 30)); then outcome=killed; fi
    [[ $outcome == survived ]] || break
  done
  if [[ $outcome == survived ]] && equivalent "$file" "$(sed 's/^ *//; s/ *$//' <<<"$text")" "$from" "$to"; then
    outcome=equivalent
  fi
  cp "$out/original" "$file"
  rm "$out/changed"
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$line" "$column" "$from" "$to" "$outcome" $((SECONDS - began)) >>"$record"
  printf '%4d  %-10s %s:%s:%s  "%s" -> "%s"  (%d s)\n' "$(tried)" "$outcome" "$file" "$line" "$column" "$from" "$to" $((SECONDS - began))
done 3<"$out/drawn.tsv"

awk -F '\t' -v commit="${commit:0:8}" -v seed="$seed" -v part="$part" '{ ++n[$6] } END {
    counted = n["killed"] + n["survived"]
    printf "commit %s, seed %d, part %s: %d of %d mutants killed", commit, seed, part, n["killed"], counted
    if (counted) printf " (%.1f %%)", 100 * n["killed"] / counted
    printf "; %d survived, %d equivalent, %d did not compile\n", n["survived"], n["equivalent"], n["no program"]
  }' "$record"
