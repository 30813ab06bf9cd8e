#!/usr/bin/env bash
# From a fresh machine to REPORT.md: installs what is missing, builds, runs every experiment,
# analyses. See ./run_all.sh --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  cat <<'TXT'
usage: ./run_all.sh [OPTIONS]         install, build, run every config, write REPORT.md
       ./run_all.sh test [OPTIONS]    install, build, run the whole test suite
       ./run_all.sh package           make a .deb and a .tar.gz for machines without a compiler
       ./run_all.sh --audit           audit filters in the wild (docs/filters_in_the_wild.md)
       ./run_all.sh --replicate SEED  draw the study again, and say which verdicts came out the same

options
  --quick        run the small configs of configs/smoke/ only; writes below build/quick/
  --full         also the long configs: of configs/speed/ speed_*.json, throughput_scale.json and
                 peers.json, configs/applications/map_against_filter.json, and *_full.json
  --sanitize     after "test": also build the readers of foreign files (saved filters, results,
                 answers of foreign filters) and what they stand on with address and
                 undefined-behaviour sanitizers and run their tests; writes below build/dev/
  --audit        nothing but this: fetches libraries of others from Debian and npm, and the compilers that
                 they need, into build/wild (1.6 GB, half an hour), builds their adapters, audits and
                 measures each; what is not there is left out with one line
  --replicate SEED
                 nothing but this: measures every config that counts, but the long ones, with seeds
                 that follow from SEED, a whole number, below build/replication; holds the verdicts
                 beside those of results/ and says so on the report's first page (docs/compare.md)
  --no-install   install nothing; name what is missing and go on
  --jobs N       build jobs and measuring threads (default: all processors)
  --help         this text

writes
  build/wild/                    everything of --audit: cards/, results/, REPORT.html
  build/package/                 the packages, for Debian 12 and later (README.md)
  build/                         everything that is built, and the output of --quick
  results/*.json                 raw counts and durations, one file a config
  results/replication/           what --replicate found
  results/figures/*.svg          the figures
  results/pages/*.md             a page for every result, the method, and what sources claim
  REPORT.md, REPORT.html         the report, generated

exit status: 0 done; 1 a build, test or run failed, or a check did not hold; 2 bad usage or
something is missing that this script may not install.
TXT
}

say() { printf '== %s\n' "$*"; }
fail() { printf 'run_all.sh: %s\n' "$2" >&2; exit "$1"; }

mode=run quick=no full=no seed= sanitize=no install=yes jobs=$(nproc 2>/dev/null || echo 2)
while [ $# -gt 0 ]; do
  case $1 in
    test | package) mode=$1 ;;
    --quick) quick=yes ;;
    --full) full=yes ;;
    --sanitize) sanitize=yes ;;
    --audit) mode=audit ;;
    --replicate) [ $# -ge 2 ] || fail 2 "--replicate needs a seed; see ./run_all.sh --help"; mode=replicate seed=$2; shift ;;
    --replicate=*) mode=replicate seed=${1#--replicate=} ;;
    --no-install) install=no ;;
    --jobs) [ $# -ge 2 ] || fail 2 "--jobs needs a number; see ./run_all.sh --help"; jobs=$2; shift ;;
    --jobs=*) jobs=${1#--jobs=} ;;
    -h | --help) usage; exit 0 ;;
    *) fail 2 "unknown argument \"$1\"; see ./run_all.sh --help" ;;
  esac
  shift
done
case $jobs in '' | *[!0-9]* | 0) fail 2 "--jobs takes a whole number from 1, found \"$jobs\"" ;; esac
case $mode$quick$full in audit*yes* | replicate*yes*) fail 2 "--$mode goes with neither --quick nor --full" ;; esac
case $mode$seed in replicate | replicate*[!0-9]*) fail 2 "--replicate takes a whole number from 0, found \"$seed\"" ;; esac
case $mode in test | package)
  [ "$quick" = no ] || fail 2 "\"$mode\" and --quick exclude each other"
  [ "$full" = no ] || fail 2 "\"$mode\" and --full exclude each other" ;;
esac
[ "$sanitize" = no ] || [ "$mode" = test ] || fail 2 "--sanitize goes with \"test\"; see ./run_all.sh --help"
[ "$quick$full" != yesyes ] || fail 2 "--quick and --full exclude each other"

# One line a dependency: Debian's package, then how to see that it is there on any distribution.
requirements() {
  [ "${mode:-test}" != test ] || cat <<'TXT'
catch2 header catch2
libvalijson-dev header valijson/schema.hpp
TXT
  [ "${mode:-test}" != package ] || cat <<'TXT'
dpkg-dev command dpkg-shlibdeps
file command file
TXT
  cat <<'TXT'
ca-certificates file /etc/ssl/certs
g++ command g++
cmake command cmake
ninja-build command ninja
pkg-config command pkg-config
git command git
gnuplot-nox command gnuplot
blahtexml command blahtexml
wamerican-huge file /usr/share/dict/american-english-huge
libbenchmark-dev header benchmark/benchmark.h
libeigen3-dev header eigen3/Eigen/Core
nlohmann-json3-dev header nlohmann/json.hpp
libcli11-dev header CLI/CLI.hpp
libboost-dev header boost/version.hpp
libxxhash-dev header xxhash.h
libhwy-dev header hwy/highway.h
libmd4c-dev header md4c.h
libssl-dev header openssl/evp.h
libbloom-dev header bloom.h
librocksdb-dev header rocksdb/db.h
redis-tools command redis-check-rdb
zlib1g-dev header zlib.h
libsqlite3-dev header sqlite3.h
bubblewrap command bwrap
TXT
}

present() {
  case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    file) [ -e "$2" ] ;;
    header) [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] ||
      compgen -G "/usr/include/*-linux-gnu/$2" >/dev/null ;;
  esac
}

missing_packages() {
  local package kind what
  while read -r package kind what; do
    present "$kind" "$what" || printf '%s\n' "$package"
  done < <(requirements)
}

install_missing() {
  local missing
  missing=$(missing_packages | tr '\n' ' ')
  missing=${missing% }
  if [ -z "$missing" ]; then
    say "packages: all present"
  elif [ "$install" = no ]; then
    say "packages missing (not installed, as told; names as in Debian 12): $missing"
  else
    command -v apt-get >/dev/null 2>&1 || fail 2 \
      "this is not a Debian-like system, and these are missing (names as in Debian 12): $missing; install them and run again with --no-install"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null 2>&1 || fail 2 \
        "these packages are missing and neither root nor sudo is at hand: $missing; install them and run again"
      as_root=(sudo)
    fi
    say "installing: $missing"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 update
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 \
      -o Dpkg::Use-Pty=0 install --no-install-recommends $missing >build/apt.log 2>&1 ||
      { tail -n 20 build/apt.log >&2; fail 1 "installing failed; the whole output is in build/apt.log"; }
  fi
}

# configure PRESET
configure() {
  say "configuring (build/$1)"
  local tests=ON
  [ "$mode" = test ] || tests=OFF
  cmake --preset "$1" "-DBLOOMLAB_BUILD_TESTS=$tests" >build/configure.log 2>&1 ||
    { tail -n 20 build/configure.log >&2; fail 1 "configuring failed; the whole output is in build/configure.log"; }
}

build() {
  configure release
  say "building with $jobs job(s)"
  cmake --build --preset release --parallel "$jobs" --target "$@"
}

# run_tests PRESET: adds to `tests`, how many passed, and to `skipped`, how many could not be tried.
# The closing line must not be ctest's table of labels, but say in the words of ctest what came of
# all; a skipped test is none that passed.
tests=0 skipped=0
run_tests() {
  local log=build/test_$1.log summary
  say "testing ($1)"
  ctest --preset "$1" --parallel "$jobs" 2>&1 | tee "$log" || {
    summary=$(grep 'tests failed out of' "$log" || echo "ctest failed; the whole output is in $log")
    say "preset $1 after $(elapsed)"
    printf '%s\n' "$summary"
    exit 1
  }
  local left
  left=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log" || true)
  skipped=$((skipped + left))
  tests=$((tests + $(sed -n 's/^100% tests passed, 0 tests failed out of //p' "$log") - left))
}

elapsed() { printf '%d min %02d s' $((SECONDS / 60)) $((SECONDS % 60)); }

mkdir -p build
install_missing

if [ "$mode" = test ]; then
  build all
  run_tests release
  if [ "$sanitize" = yes ]; then
    configure dev
    say "building with sanitizers, $jobs job(s)"
    cmake --build --preset dev_readers --parallel "$jobs"
    run_tests dev_readers
  fi
  say "all tests passed after $(elapsed), but for $skipped skipped: their tools are not on this machine"
  printf '100%% tests passed, 0 tests failed out of %d\n' "$tests"
  exit 0
fi

build bloomlab_cli
bloomlab=build/release/bloomlab
if [ "$mode" = audit ]; then
  fetch=()
  [ "$install" = yes ] || fetch=(--no-install)
  examples/wild/build.sh "${fetch[@]}" || fail 2 "no filter in the wild could be had; see the lines above"
  examples/wild/audit.sh "$bloomlab"
  say "done after $(elapsed)"
  exit 0
fi
if [ "$mode" = package ]; then
  rm -rf build/package build/release/report
  say "writing the report of results/, which the packages hold"
  "$bloomlab" report results --out build/release/report --front configs/REPORT.page.md \
    --claims configs/claims >build/report.log 2>&1 ||
    { tail -n 20 build/report.log >&2; fail 1 "no report; the whole output is in build/report.log"; }
  say "packing into build/package/"
  cpack --config build/release/CPackConfig.cmake -B build/package >build/package.log 2>&1 ||
    { tail -n 20 build/package.log >&2; fail 1 "packing failed; the whole output is in build/package.log"; }
  rm -rf build/package/_CPack_Packages
  say "trying the .tar.gz in another folder"
  cmake -D PACKAGE="$(ls "$PWD"/build/package/*.tar.gz)" -P tests/consumer/package.cmake
  (cd build/package && for file in *; do
    printf '%s  %s  %s bytes\n' "$(sha256sum "$file" | cut -d' ' -f1)" "build/package/$file" "$(stat -c %s "$file")"
  done)
  say "done after $(elapsed)"
  exit 0
fi
status=0
if [ "$quick" = yes ]; then
  configs=(configs/smoke/*.json) results=build/quick/results report=build/quick figures=build/quick/figures pages=build/quick/pages
else
  configs=() results=results report=. figures=results/figures pages=results/pages
  for config in configs/{findings.json,{textbook,lab_report,hashing,filters,applications,trust,speed}/*.json}; do
    case $mode$full$config in
      replicate*/speed/*) ;;
      *noconfigs/speed/speed_*.json | *noconfigs/speed/throughput_scale.json | *noconfigs/*_full.json) ;;
      runnoconfigs/speed/peers.json | runnoconfigs/applications/map_against_filter.json) ;;
      *yesconfigs/*_full.json)
        if "$bloomlab" check "$config" >/dev/null; then configs+=("$config")
        else say "leaving out $config: see the line above"; fi ;;
      *) configs+=("$config") ;;
    esac
  done
  [ "$full" = yes ] || [ "$mode" = replicate ] || say "leaving out the long configs; --full runs them too"
fi
# KIND WHAT PACKAGE: its configs are left out where a part is not there.
leave_out() {
  local i
  say "leaving out $1: $2 is not installed ($3)"
  for i in "${!configs[@]}"; do
    case ${configs[i]} in */"$1".json) unset "configs[i]" ;; esac
  done
}
[ -x build/release/bloomlab-store ] || for kind in key_value_store table_levels; do
  leave_out "$kind" RocksDB librocksdb-dev
done
command -v redis-server >/dev/null 2>&1 || command -v redis-check-rdb >/dev/null 2>&1 ||
  leave_out cache_penetration Redis redis-tools
if [ "$mode" = replicate ]; then
  again=build/replication/results
  say "drawing ${#configs[@]} configs again with seeds that follow from $seed; results go to $again/"
  "$bloomlab" run "${configs[@]}" --replicate "$seed" --out "$again" --jobs "$jobs" || status=$?
  [ "$status" -lt 128 ] || exit "$status"
  [ "$status" -ne 2 ] || fail 2 "nothing was compared: see the line above; results of another seed in $again/ are in the way until they are deleted"
  "$bloomlab" compare "$results" "$again" --replication "$seed" --claims configs/claims \
    --write "$results/replication/verdicts.json" || fail 2 "nothing was compared: see the line above"
else
  say "running ${#configs[@]} configs; results go to $results/"
  "$bloomlab" run "${configs[@]}" --out "$results" --jobs "$jobs" --force || status=$?
  [ "$status" -lt 128 ] || exit "$status"
  [ "$status" -ne 2 ] || fail 2 "a config was refused; nothing was analysed"
fi
say "analysing; the report goes to $report/REPORT.md"
"$bloomlab" report "$results" --out "$report" --figures "$figures" --pages "$pages" \
  --front configs/REPORT.page.md --claims configs/claims || { rc=$?; [ "$rc" -le "$status" ] || status=$rc; }
if [ "$status" -eq 0 ]; then
  say "done after $(elapsed): open ${report#./}/REPORT.html or REPORT.md"
else
  say "finished with faults after $(elapsed): see the lines above and ${report#./}/REPORT.md"
fi
exit "$status"
