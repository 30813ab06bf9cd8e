#!/usr/bin/env bash
# Builds the core for a 64-bit ARM processor and runs its tests there, emulated:
#   tests/reliability/arm64.sh [CTEST_OPTION...]
# The tests compare vector kernels (NEON) with scalar code, and hashes, saved filters and counts
# with numbers that are the same on every processor. Exit status 77 where a package is missing; on
# Debian, as root: dpkg --add-architecture arm64; apt-get update; apt-get install g++-aarch64-linux-gnu
# qemu-user libhwy-dev:arm64 libxxhash-dev:arm64 libssl-dev:arm64 zlib1g-dev:arm64 libstdc++6:arm64
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case ${1-} in
  -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
libraries=/usr/lib/aarch64-linux-gnu
for needed in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$needed" >/dev/null || { echo "arm64: left out: there is no $needed (see --help)"; exit 77; }
done
for library in libhwy.so libxxhash.so libcrypto.so libz.so libstdc++.so.6; do
  [[ -e $libraries/$library ]] || { echo "arm64: left out: there is no $libraries/$library (see --help)"; exit 77; }
done
jobs=${BLOOMLAB_JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p build/arm64
PKG_CONFIG_LIBDIR=$libraries/pkgconfig:/usr/share/pkgconfig cmake -S . -B build/arm64 -G Ninja \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
  -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64 \
  -DBLOOMLAB_BUILD_APP=OFF -DBLOOMLAB_BUILD_TESTS=ON -DBLOOMLAB_UNITY=ON -DBLOOMLAB_WERROR=ON \
  >build/arm64/configure.log
cmake --build build/arm64 --parallel "$jobs" >build/arm64/build.log ||
  { tail -n 30 build/arm64/build.log >&2; exit 1; }
qemu-aarch64 --version | head -n 1
# The program outside is one of this machine.
ctest --test-dir build/arm64 --parallel "$jobs" --output-on-failure -E '^consumer:' "$@"
