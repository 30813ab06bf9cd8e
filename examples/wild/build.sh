#!/usr/bin/env bash
# Fetches the filters in the wild and builds their adapters, below build/wild only:
#     examples/wild/build.sh [--no-install]
# What Debian's packages miss here is unpacked into build/wild/root, and npm's go into build/wild/npm:
# nothing is installed on the machine. A filter that cannot be had is one line, and no fault.
# Afterwards build/wild/bin has a program or library for every filter that is there.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
here=$PWD/examples/wild out=$PWD/build/wild
root=$out/root bin=$out/bin
fetch=yes
[ "${1:-}" != --no-install ] || fetch=no
mkdir -p "$out/debs" "$root" "$bin" "$out/npm"

# Name, how it is built, the package that has its version, and what else building it takes.
filters() {
  cat <<'TXT'
libbloom c libbloom-dev gcc
leveldb cpp libleveldb-dev g++
rocksdb cpp librocksdb-dev g++
guava java libguava-java default-jdk-headless
willf go golang-github-willf-bloom-dev golang-go
dcso go golang-github-dcso-bloom-dev golang-go
blobloom go golang-github-greatroar-blobloom-dev golang-go
cuckoofilter go golang-github-seiflotfy-cuckoofilter-dev golang-go
goleveldb go golang-github-syndtr-goleveldb-dev golang-go
bloomfilter haskell libghc-bloomfilter-dev ghc
bloom_filter perl libbloom-filter-perl perl
flor python python3-flor python3
postgresql sql postgresql-15 postgresql-client-15
bloom-filters javascript bloom-filters@3.0.4 nodejs
bloomfilter-js javascript bloomfilter@1.1.0 nodejs
bloom-filter javascript bloom-filter@0.2.0 nodejs
bloem javascript bloem@0.2.4 nodejs
minibloom javascript @mcrowe/minibloom@0.2.0 nodejs
jsbloom javascript @duckduckgo/jsbloom@1.0.2 nodejs
TXT
}

say() { printf '== %s\n' "$*"; }
has() { command -v "$1" >/dev/null 2>&1; }
installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
unpacked() { compgen -G "$out/debs/$1_*.unpacked" >/dev/null; }
# The program that a package of tools is for, where it may be there without the package.
tool() {
  case $1 in
    golang-go) echo go ;; default-jdk-headless) echo javac ;; nodejs) echo node ;;
    gcc | g++ | ghc | perl | python3) echo "$1" ;;
  esac
}
there() { installed "$1" || unpacked "$1" || { [ -n "$(tool "$1")" ] && has "$(tool "$1")"; }; }

# The version of a package of Debian.
version_of() {
  if installed "$1"; then dpkg-query -W -f '${Version}' "$1"
  else dpkg-deb -f "$(compgen -G "$out/debs/$1_*.deb" | head -n 1)" Version; fi
}

# What apt would fetch for these packages. It must not look into its own store: what lies there it
# leaves out, as nothing is to be fetched.
wanted() {
  apt-get -qq --print-uris -o Debug::NoLocking=1 -o "Dir::Cache::Archives=$out/debs" --no-install-recommends install "$@"
}

# unpack PACKAGE...: with all that they need and this machine has not.
unpack() {
  local list=$out/debs/list sizes megabytes deb
  wanted "$@" >"$list" 2>"$out/apt.log" || {
    apt-get -qq update >>"$out/apt.log" 2>&1
    wanted "$@" >"$list" 2>>"$out/apt.log" ||
      { say "left out, Debian has not: $* (build/wild/apt.log)"; return 1; }
  }
  sizes=$(awk '{ sum += $3 } END { print int(sum / 1e6) }' "$list")
  megabytes=$((sizes * 8))
  say "fetching $(wc -l <"$list") packages of Debian ($* and what they need):" \
    "$sizes MB to fetch, about $megabytes MB in build/wild/root, about $((1 + sizes / 100)) min; not installed"
  # shellcheck disable=SC2046
  (cd "$out/debs" && apt-get -qq download $(sed "s/^'[^']*' \([^_]*\)_.*/\1/" "$list") >>"$out/apt.log" 2>&1) ||
    { say "left out, fetching failed: $* (build/wild/apt.log)"; return 1; }
  for deb in "$out"/debs/*.deb; do
    [ -e "${deb%.deb}.unpacked" ] || { dpkg-deb -x "$deb" "$root" && touch "${deb%.deb}.unpacked"; }
  done
}

fetch_packages() {
  local missing=() name how package needs one modules=()
  while read -r name how package needs; do
    if [ "$how" = javascript ]; then
      [ -d "$out/npm/node_modules/${package%@*}" ] || modules+=("$package")
    else
      for one in $package $needs; do
        there "$one" || [[ " ${missing[*]-} " = *" $one "* ]] || missing+=("$one")
      done
    fi
  done < <(filters)
  if [ "$fetch" = no ]; then return; fi
  if [ ${#missing[@]} -gt 0 ]; then
    if ! has apt-get || ! has dpkg-deb; then say "apt-get is not here: nothing of Debian is fetched"
    elif ! unpack "${missing[@]}"; then for one in "${missing[@]}"; do unpack "$one"; done; fi
  fi
  if [ ${#modules[@]} -gt 0 ]; then
    if ! has npm; then say "npm is not here: no package of npm is fetched"; return; fi
    say "fetching ${#modules[@]} packages of npm into build/wild/npm: about 10 MB, under a minute"
    [ -e "$out/npm/package.json" ] || echo '{"private": true}' >"$out/npm/package.json"
    for one in "${modules[@]}"; do
      npm install --prefix "$out/npm" --ignore-scripts --no-audit --no-fund "$one" >>"$out/npm.log" 2>&1 ||
        say "$one: npm could not fetch it (build/wild/npm.log)"
    done
  fi
}

# program_of NAME VERSION SOURCES COMMAND...: the program of a filter. Its text names version and
# sources, so that what it starts is part of a result's identity; paths start from the program.
program_of() {
  local name=$1 version=$2 sources=$3
  shift 3
  { printf '#!/bin/sh\n# %s %s\n' "$name" "$version"
    # shellcheck disable=SC2086
    (cd "$here" && sha256sum $sources) | sed 's/^/# /'
    # shellcheck disable=SC2016
    printf 'top=$(cd "$(dirname "$0")/../../.." && pwd)\nexport WILD_VERSION=%s\nexec env' "$version"
    printf ' "%s"' "${@//$PWD/\$top}"
    printf '\n'; } >"$bin/$name"
  chmod +x "$bin/$name"
}

build_c() { # NAME SOURCE COMPILER LIBRARY...
  local name=$1 source=$2 compiler=$3 version=$4 lib
  shift 4
  lib=$(echo "$root"/usr/lib/*-linux-gnu)
  "$compiler" -O2 -fPIC -shared -I foreign -I "$root/usr/include" "-DWILD_VERSION=\"$version\"" \
    "$here/$source" -o "$bin/$name.so" -L "$lib" "-Wl,-rpath,$lib" "$@"
}

build_go() {
  local go=go goroot=()
  if ! has go; then
    go=$(compgen -G "$root/usr/lib/go-*/bin/go" | head -n 1)
    goroot=("GOROOT=${go%/bin/go}")
  fi
  env "${goroot[@]}" GO111MODULE=off GOFLAGS= CGO_ENABLED=0 "GOCACHE=$out/go-cache" \
    "GOPATH=$root/usr/share/gocode:/usr/share/gocode" \
    "$go" build -o "$bin/$1.program" "$here/go/serve.go" "$here/go/$1.go" &&
    program_of "$1" "$2" "go/serve.go go/$1.go" "$bin/$1.program"
}

# GHC and its packages name each other by absolute paths: in a copy they are those of the copy.
build_haskell() {
  local ghc=(ghc) top=$root/usr/lib/ghc
  if ! has ghc; then
    if [ ! -e "$top/.moved" ]; then
      rm -f "$top/package.conf.d"
      cp -r "$root/var/lib/ghc/package.conf.d" "$top/package.conf.d"
      sed -i "s#\(^\|[ \"]\)/usr/#\1$root/usr/#g" "$top"/package.conf.d/*.conf
      "$top/bin/ghc-pkg" --global-package-db "$top/package.conf.d" recache && touch "$top/.moved"
    fi
    ghc=("$top/bin/ghc" "-B$top")
  fi
  mkdir -p "$out/haskell"
  "${ghc[@]}" -O -outputdir "$out/haskell" "$here/haskell/Bloomfilter.hs" -o "$bin/$1.program" &&
    program_of "$1" "$2" haskell/Bloomfilter.hs "$bin/$1.program"
}

build_one() { # NAME HOW PACKAGE
  local name=$1 how=$2 package=$3 version jar server
  if [ "$how" = javascript ]; then
    [ -d "$out/npm/node_modules/${package%@*}" ] || { echo "$package is not there" >&2; return 1; }
    version=$(node -p "require('$out/npm/node_modules/${package%@*}/package.json').version") || return 1
    program_of "$name" "$version" "javascript/serve.js $(cd "$here" && echo "javascript/$(basename "${package%@*}").js")" \
      -C "$out/npm" node --no-deprecation "$here/javascript/serve.js" "${package%@*}"
    return
  fi
  version=$(version_of "$package") || return 1
  case $name in
    libbloom) build_c "$name" c/libbloom.c gcc "$version" -lbloom -lm ;;
    leveldb | rocksdb) build_c "$name" "cpp/$name.cpp" g++ "$version" -std=c++20 "-l$name" ;;
    guava)
      jar=$(compgen -G "$root/usr/share/java/guava.jar" || echo /usr/share/java/guava.jar)
      mkdir -p "$out/java" && javac -cp "$jar" -d "$out/java" "$here/java/Guava.java" &&
        program_of "$name" "$version" java/Guava.java java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g -cp "$jar:$out/java" Guava ;;
    bloomfilter) build_haskell "$name" "$version" ;;
    bloom_filter) program_of "$name" "$version" perl/bloom_filter.pl "PERL5LIB=$root/usr/share/perl5" perl "$here/perl/bloom_filter.pl" ;;
    flor) program_of "$name" "$version" python/flor_filter.py \
      "PYTHONPATH=$root/usr/lib/python3/dist-packages:/usr/lib/python3/dist-packages" python3 "$here/python/flor_filter.py" ;;
    postgresql)
      server=$(compgen -G "$root/usr/lib/postgresql/15/bin" || echo /usr/lib/postgresql/15/bin)
      [ -x "$server/postgres" ] || { echo "$server has no postgres" >&2; return 1; }
      program_of "$name" "$version" sql/postgresql.py "PATH=$server:\$PATH" python3 "$here/sql/postgresql.py" ;;
    *) build_go "$name" "$version" ;;
  esac
}

fetch_packages
ready=0
while read -r name how package needs; do
  log=$out/build_$name.log
  rm -f "$bin/$name" "$bin/$name.so"
  absent=
  for one in $needs; do there "$one" || absent=$one; done
  if [ "$how" != javascript ] && ! there "$package"; then absent=$package; fi
  if [ -n "$absent" ]; then say "$name left out: $absent is not there"
  elif build_one "$name" "$how" "$package" >"$log" 2>&1 </dev/null; then ready=$((ready + 1))
  else say "$name left out: $(tail -n 1 "$log" | cut -c 1-100) (build/wild/build_$name.log)"; fi
done < <(filters)
say "$ready of $(filters | wc -l) filters in the wild are ready in build/wild/bin"
[ "$ready" -gt 0 ]
