# One line for each place of a C++ source where mutants.sh can change one thing:
#   file TAB line TAB column TAB what stands there TAB what takes its place
# Comments, strings and lines of the preprocessor are left alone, and what clang-format has no spaces
# about (the < of a template); and examples(), the parameters that tests try each filter with.
BEGIN {
  count = 0
  add(" < ", " <= "); add(" <= ", " < "); add(" > ", " >= "); add(" >= ", " > ")
  add(" == ", " != "); add(" != ", " == "); add(" + ", " - "); add(" - ", " + ")
  add(" * ", " / "); add(" / ", " * "); add(" % ", " / "); add(" << ", " >> ")
  add(" >> ", " << "); add(" & ", " | "); add(" | ", " & "); add(" ^ ", " & ")
  add(" && ", " || "); add(" || ", " && "); add(" += ", " -= "); add(" -= ", " += ")
  add(" |= ", " &= "); add(" &= ", " |= "); add("++", "--"); add("std::min", "std::max")
  add("std::max", "std::min"); add("return true;", "return false;"); add("return false;", "return true;")
  add("(!", "("); add("break;", ";"); add("continue;", ";")
}
function add(from, to) { froms[++count] = from; tos[count] = to }
function put(column, from, to) { printf "%s\t%d\t%d\t%s\t%s\n", FILENAME, FNR, column, from, to }
FNR == 1 { in_examples = 0 }
/examples\(\) \{/ { in_examples = 1 }
in_examples { if (/^ *}$/) in_examples = 0; next }
{
  code = $0
  gsub(/\\./, "__", code)
  gsub(/'"'/, "___", code)
  gsub(/'"'/, "___", code)
  # What stands in quotes, and behind //, becomes spaces of the same length.
  quoted = 0; clean = ""
  for (i = 1; i <= length(code); ++i) {
    c = substr(code, i, 1)
    if (!quoted && substr(code, i, 2) == "//") break
    if (c == "\"") { quoted = !quoted; clean = clean "\1" } else clean = clean (quoted ? "\1" : c)
  }
  if (clean ~ /^ *#/ || clean ~ /^ *$/ || clean ~ /^ *(static_assert|using|template)/ || clean ~ /R"/) next
  for (p = 1; p <= count; ++p) {
    from = froms[p]
    start = 1
    while ((at = index(substr(clean, start), from)) > 0) {
      column = start + at - 1
      put(column, from, tos[p])
      start = column + length(from)
    }
  }
  # Whole numbers: one more. Not in names, hexadecimal, fractions or powers of ten.
  rest = clean; base = 0
  while (match(rest, /[0-9][0-9']*/)) {
    before = substr(clean, base + RSTART - 1, 1)
    after = substr(clean, base + RSTART + RLENGTH, 1)
    if ((base + RSTART == 1 || before !~ /[A-Za-z0-9_.\1']/) && after !~ /[A-Za-z_.\1]/) {
      number = substr(rest, RSTART, RLENGTH)
      plain = number; gsub(/'/, "", plain)
      if (length(plain) < 15) put(base + RSTART, number, sprintf("%d", plain + 1))
    }
    base += RSTART + RLENGTH - 1
    rest = substr(rest, RSTART + RLENGTH)
  }
  # A statement that only calls something is left out; not one that only saves time.
  if (clean ~ /^ +[a-z_][A-Za-z0-9_.:]*(->[A-Za-z0-9_.]+)*\(.*\);$/ && clean !~ /^ +(return|throw|delete|co_|assert)/ &&
      clean !~ /reserve\(|prefetch/ &&
      gsub(/\(/, "(", clean) == gsub(/\)/, ")", clean)) {
    match($0, /^ +/)
    put(RLENGTH + 1, substr($0, RLENGTH + 1), ";")
  }
}
