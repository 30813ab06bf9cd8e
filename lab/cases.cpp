#include "lab/cases.hpp"

#include <limits>
#include <string_view>

#include "record/grid.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::lab {
namespace {

using record::JsonView;
using record::ObjectReader;

constexpr std::uint64_t most_keys = 10'000'000;

Case case_of(const JsonView& view) {
  constexpr std::array<std::string_view, 6> keys = {"name",         "keys", "n",
                                                    "bits_per_key", "fpr",  "queries"};
  constexpr std::array<std::string_view, 2> sources = {"integers", "texts"};
  const ObjectReader reader(view, "a case", keys);
  Case one;
  one.name = reader.at("name", "what it is called in the reasons").text({"name", "a name"});
  if (reader.has("keys")) one.texts = reader.at("keys", "").word("keys", sources) == "texts";
  one.n = reader.at("n", "keys to insert").integer({"n", "keys", "", 1, most_keys});
  one.bits_per_key = reader.at("bits_per_key", "bits of the filter per key")
                         .real({.name = "bits_per_key",
                                .unit = "bits",
                                .meaning = "",
                                .max = 1e4,
                                .min_excluded = true});
  if (reader.has("fpr")) {
    one.fpr = reader.at("fpr", "").real({.name = "fpr",
                                         .unit = "probability",
                                         .meaning = "",
                                         .min_excluded = true,
                                         .max_excluded = true});
  }
  one.queries =
      reader.at("queries", "lookups of absent keys").integer({"queries", "", "", 1, most_keys});
  return one;
}

void read_limits(const JsonView& view, foreign::Limits& limits) {
  constexpr std::array<std::string_view, 2> keys = {"seconds", "memory_mib"};
  const ObjectReader reader(view, "the limits", keys);
  if (reader.has("seconds")) {
    limits.seconds = reader.at("seconds", "")
                         .real({.name = "seconds",
                                .unit = "s",
                                .meaning = "",
                                .max = 86'400.0,
                                .min_excluded = true});
  }
  if (reader.has("memory_mib")) {
    limits.memory_mib =
        reader.at("memory_mib", "").integer({"memory_mib", "MiB", "", 16, std::uint64_t{1} << 30});
  }
}

}  // namespace

std::uint64_t Case::bits() const { return record::ceil_per_n(bits_per_key, n); }

theory::Query Case::prediction(std::uint64_t k) const {
  theory::Query query{.model = "standard_exact", .arguments = {{"m", bits()}, {"k", k}, {"n", n}}};
  if (fpr) {
    query.model = "scalable_untightened";
    query.arguments.push_back({"fp", *fpr});
  }
  return query;
}

CaseBook given_cases() {
  CaseBook book;
  book.cases = {{.bits_per_key = 10.0},
                {.bits_per_key = 6.0},
                {.texts = true, .n = 3000, .bits_per_key = 8.0, .queries = 20'000},
                {.bits_per_key = 5.0, .fpr = 0.01},
                {.bits_per_key = 1.0, .fpr = 0.001}};
  return book;
}

std::array<Case, 2> weighed_cases(std::uint64_t n) {
  constexpr std::uint64_t queries = 20'000;
  const std::uint64_t few = n / 10;
  // Every inserted key is looked up too.
  return {{{.n = few, .bits_per_key = 2.0, .queries = queries + 2 * (n - few)},
           {.n = n, .bits_per_key = 2.0, .queries = queries}}};
}

CaseBook with_cases_of(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 4> keys = {"format", "seed", "limits", "cases"};
  constexpr std::array<std::string_view, 1> formats = {"bloomlab-lab-cases-1"};
  constexpr std::uintmax_t most_bytes = 1 << 20;
  const record::Origin origin{file.string()};
  const record::Json json = record::read_json(file, most_bytes);
  const JsonView view(json, origin);
  const ObjectReader reader(view, "a file of cases", keys);
  static_cast<void>(reader.at("format", "the format").word("format", formats));
  CaseBook book = given_cases();
  if (reader.has("seed")) {
    book.seed = reader.at("seed", "")
                    .integer({"seed", "", "", 0, std::numeric_limits<std::uint64_t>::max()});
  }
  if (reader.has("limits")) read_limits(reader.at("limits", ""), book.limits);
  for (const JsonView& one : reader.at("cases", "a list of cases").elements("a list of cases")) {
    book.cases.push_back(case_of(one));
  }
  return book;
}

}  // namespace bloomlab::lab
