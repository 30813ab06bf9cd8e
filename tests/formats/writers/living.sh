#!/usr/bin/env bash
# Loads filters that bloomlab wrote in the programs that they are for, where those are here:
#     living.sh FOLDER
# FOLDER has guava.bloom, go.bloom and parquet.bloom, of the keys key-0 ... key-999. A line each:
# the program, how many of the keys it finds, and how many of as many absent keys; or "not here".
# What examples/wild/build.sh fetched (or WILD, a folder like its build/wild) is used too.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wild=${WILD:-$here/../../../build/wild}
jar=$(compgen -G "$wild/root/usr/share/java/guava.jar" || echo /usr/share/java/guava.jar)
say() { echo "$1 $(if [ -n "$2" ]; then echo "$2"; else echo "not here"; fi)"; }

java=
if command -v java >/dev/null && [ -r "$jar" ]; then
  java=$(java -cp "$jar" "$here/Guava.java" 1000 0 read "$1/guava.bloom")
fi
say guava "$java"

go=
binary=$(command -v go || compgen -G "$wild/root/usr/lib/go-*/bin/go" | head -n 1)
if [ -n "$binary" ]; then
  root=${binary%/bin/go}
  go=$(cd "$1" && env GOROOT="$(readlink -f "$root")" GO111MODULE=off GOFLAGS= CGO_ENABLED=0 GOCACHE="$1/cache" \
    GOPATH="$wild/root/usr/share/gocode:/usr/share/gocode" \
    "$binary" run "$here/bits_and_blooms.go" 1000 0 read "$1/go.bloom" 2>/dev/null)
fi
say go "$go"

script=
if command -v node >/dev/null; then
  script=$(NODE_PATH=${NODE_PATH:-$wild/npm/node_modules} node "$here/parquet.js" 1000 0 load "$1/parquet.bloom" 2>/dev/null)
fi
say javascript "$script"
