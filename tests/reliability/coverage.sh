#!/usr/bin/env bash
# Says which share of the lines of core, record, statistics, formats, foreign and the engine the
# tests of these modules execute:
#   tests/reliability/coverage.sh [--missed FILE]
# Builds in build/coverage, runs the modules' test programs, and prints a line a module. --missed
# lists the lines that no test executes, FILE:LINE each. A line that is compiled several times (in
# headers, for several processors) counts once, and is executed where one of its copies is. Lines
# that no program of the tests contains are not counted.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
missed=/dev/null
case ${1-} in
  '') ;;
  --missed) missed=$(realpath -m "${2:?}") ;;
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
jobs=${BLOOMLAB_JOBS:-$(nproc 2>/dev/null || echo 2)}
root=$PWD
programs=(test_core test_theory test_record test_statistics test_formats test_foreign test_experiments)
mkdir -p build/coverage
cmake -S . -B build/coverage -G Ninja -DCMAKE_BUILD_TYPE=None -DBLOOMLAB_UNITY=ON -DBLOOMLAB_BUILD_TESTS=ON \
  -DCMAKE_CXX_FLAGS='-O1 -fprofile-update=atomic --coverage' >build/coverage/configure.log
cmake --build build/coverage --parallel "$jobs" --target "${programs[@]}" >build/coverage/build.log
find build/coverage -name '*.gcda' -delete
for program in "${programs[@]}"; do
  (cd build/coverage && "tests/$program" >"$program.log") || { tail -n 20 "build/coverage/$program.log" >&2; exit 1; }
done
# gcov prints "count:line:text" of each source of an object; ##### stands where nothing was executed.
find build/coverage -name '*.gcda' -print0 | xargs -0 -n 1 gcov --stdout 2>/dev/null |
  awk -F : -v root="$root/" -v missed="$missed" '
    { gsub(/ /, "", $1); gsub(/ /, "", $2) }
    $2 == 0 && $3 == "Source" { file = $4; if (index(file, root) == 1) file = substr(file, length(root) + 1) }
    $2 == 0 || $1 == "-" || $1 == "" || $1 ~ /[a-zA-Z]/ { next }
    file ~ /^(core|record|statistics|formats|foreign|experiments\/engine)\// {
      place = file ":" $2
      if (!(place in executed)) executed[place] = 0
      if ($1 !~ /^[#=]/) executed[place] = 1
    }
    END {
      for (place in executed) {
        module = place ~ /^experiments/ ? "experiments/engine" : substr(place, 1, index(place, "/") - 1)
        ++all[module]; hit[module] += executed[place]
        if (!executed[place]) print place >missed
      }
      for (module in all) printf "%-20s %5d of %5d lines, %.1f %%\n", module, hit[module], all[module], 100 * hit[module] / all[module]
    }' | sort
[[ $missed == /dev/null ]] || sort -t : -k1,1 -k2,2n -o "$missed" "$missed"
