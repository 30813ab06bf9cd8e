#!/usr/bin/env bash
# Audits every filter in the wild that build.sh made ready, and measures the configs of configs/wild:
#     examples/wild/audit.sh BLOOMLAB [NAME...]
# Writes below build/wild only: cards/NAME/audit.md and .json, results/, and the report of these.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
bloomlab=$1 out=build/wild
shift

# Name, and how it is audited. The layout is what its documents or its source say; where none is
# given, the rate alone is judged.
audits() {
  cat <<'TXT'
libbloom --fpr 0.001 --items 100K --expected {"kind":"standard","k":10}
leveldb --fpr 0.001 --expected {"kind":"standard","k":10}
rocksdb --fpr 0.001 --quick
guava --fpr 0.001 --quick --expected {"kind":"standard","k":10}
willf --fpr 0.001 --expected {"kind":"standard","k":10}
dcso --fpr 0.001 --expected {"kind":"standard","k":10}
blobloom --fpr 0.001
cuckoofilter --fpr 0.03
goleveldb --fpr 0.001 --expected {"kind":"standard","k":10}
bloomfilter --fpr 0.001 --quick --expected {"kind":"standard","k":10}
bloom_filter --fpr 0.001 --quick --expected {"kind":"standard","k":10}
flor --fpr 0.001 --quick --expected {"kind":"standard","k":10}
postgresql --bits-per-key 80 --quick
bloom-filters --fpr 0.001 --quick --expected {"kind":"standard","k":10}
bloomfilter-js --fpr 0.001 --quick --expected {"kind":"standard","k":10}
bloom-filter --fpr 0.001 --quick --items 200K --expected {"kind":"standard","k":9}
bloem --fpr 0.001 --quick --expected {"kind":"standard","k":10}
minibloom --fpr 0.001 --quick --expected {"kind":"standard","k":10}
jsbloom --fpr 0.001 --quick --expected {"kind":"standard","k":10}
TXT
}

say() { printf '== %s\n' "$*"; }
# The program or the library of a filter; nothing where it is not there.
target() { compgen -G "$out/bin/$1.so" || compgen -G "$out/bin/$1"; }

there=0 audited=0 broken=0
while read -r name arguments; do
  [ $# -eq 0 ] || [[ " $* " = *" $name "* ]] || continue
  it=$(target "$name") || { say "$name: not there, not audited"; continue; }
  there=$((there + 1)) began=$SECONDS
  # shellcheck disable=SC2086
  timeout 900 "$bloomlab" audit "$it" $arguments --out "$out/cards/$name" \
    >/dev/null 2>"$out/audit_$name.log" </dev/null
  case $? in
    0) verdict="no promise is broken" ;;
    1) verdict="a promise is broken" broken=$((broken + 1)) ;;
    *) say "$name: the audit failed: $(tail -n 1 "$out/audit_$name.log")"; continue ;;
  esac
  audited=$((audited + 1))
  say "$name: $verdict, $((SECONDS - began)) s ($out/cards/$name/audit.md)"
done < <(audits)
say "$audited filters audited, of $broken a promise is broken"
[ $# -eq 0 ] || exit 0

# What they named goes into the page, where all are there.
if [ "$there" -eq "$(audits | wc -l)" ]; then
  python3 examples/wild/causes.py "$out/cards" configs/wild/in_the_wild.page.md
fi

# A config names filters that may not be there: it is measured without them, from a copy. Each
# stands on a line of its own.
named_in() { sed -n 's#.*/build/wild/bin/\([^"]*\)".*#\1#p' "$1"; }
mkdir -p "$out/configs" "$out/results"
rm -f "$out/configs"/*
cp configs/wild/*.page*.md "$out/configs/"
for config in configs/wild/*.json; do
  absent=()
  while read -r name; do
    [ -e "$out/bin/$name" ] || absent+=(-e "/bin/$name\"")
  done < <(named_in "$config")
  if [ $((${#absent[@]} / 2)) -eq "$(named_in "$config" | wc -l)" ]; then
    say "$config: none of its filters is there, not measured"
    continue
  elif [ ${#absent[@]} -gt 0 ]; then
    say "$config: measured without $((${#absent[@]} / 2)) filters that are not there"
    grep -v "${absent[@]}" "$config" | sed -e ':all; N; $!b all' -e 's#,\n  \]#\n  ]#' \
      -e 's#\.\./\.\./build/wild/bin#../bin#g' >"$out/configs/$(basename "$config")"
    config=$out/configs/$(basename "$config")
  fi
  "$bloomlab" run "$config" --out "$out/results" || say "$config: not all could be measured"
done
"$bloomlab" report "$out/results" --out "$out"
say "the report of the filters in the wild: $out/REPORT.html"
