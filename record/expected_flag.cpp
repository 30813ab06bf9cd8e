#include "record/expected_flag.hpp"

namespace bloomlab::record {
namespace {

constexpr std::array<std::string_view, 4> entry_keys = {"cell", "test", "reason", "occurrence"};

ExpectedFlag read_entry(const JsonView& view) {
  const ObjectReader entry(view, "an expected flag", entry_keys);
  const JsonView cell = entry.at("cell", "members that the cell has, an object");
  if (!cell.json().is_object()) {
    cell.refuse("found " + shown(cell.json()) + "; cell must be an object");
  }
  ExpectedFlag flag{cell.json(), std::string(flag_tests.front()),
                    entry.at("reason", "why the flag is expected; a text")
                        .text({"reason", "why the flag is expected", false, 2000}),
                    true};
  if (entry.has("test")) flag.test = entry.at("test", "").word("test", flag_tests);
  if (entry.has("occurrence")) {
    flag.certain =
        entry.at("occurrence", "").word("occurrence", flag_occurrences) == flag_occurrences.front();
  }
  return flag;
}

}  // namespace

std::vector<ExpectedFlag> read_expected_flags(const ObjectReader& config) {
  std::vector<ExpectedFlag> flags;
  if (!config.has("expected_flags")) return flags;
  for (const JsonView& view : config.at("expected_flags", "").elements("expected_flags")) {
    flags.push_back(read_entry(view));
  }
  return flags;
}

Json expected_flags_schema() {
  const Json flag = {{"type", "object"},
                     {"required", {"cell", "reason"}},
                     {"properties",
                      {{"cell", {{"type", "object"}}},
                       {"test", {{"enum", flag_tests}}},
                       {"reason", {{"type", "string"}, {"minLength", 1}}},
                       {"occurrence", {{"enum", flag_occurrences}}}}},
                     {"additionalProperties", false}};
  return {
      {"type", "array"},
      {"items", flag},
      {"description", "deviations from theory that are expected, committed before the results"}};
}

}  // namespace bloomlab::record
