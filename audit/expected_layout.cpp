#include "audit/expected_layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "record/input_error.hpp"
#include "record/json_view.hpp"

namespace bloomlab::audit {
namespace {

constexpr int split_block_lanes = 8;
constexpr double split_block_bits = 256.0;

double number(const record::Json& json, const char* name, double otherwise) {
  const auto found = json.find(name);
  if (found == json.end()) return otherwise;
  if (found->is_number() && found->get<double>() > 0.0) return found->get<double>();
  throw record::InputError(std::string("audit: expected: ") + name + " is " +
                           record::shown(*found) + "; give a number above 0");
}

/// The text of that name; empty where there is none.
std::string word_of(const record::Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  throw record::InputError(std::string("audit: expected: ") + name + " is " +
                           record::shown(*found) + "; give a text such as \"standard\"");
}

std::string kind_or_model(const record::Json& expected) {
  if (!expected.is_object()) {
    throw record::InputError("audit: expected: found " + record::shown(expected) +
                             "; give an object such as {\"kind\": \"standard\", \"k\": 7}");
  }
  for (const char* const name : {"kind", "model"}) {
    if (expected.contains(name)) return word_of(expected, name);
  }
  return "standard";
}

}  // namespace

Layout layout_of(const record::Json& expected, std::uint64_t declared_for, std::uint64_t size,
                 std::uint64_t memory_bits) {
  const std::string word = kind_or_model(expected);
  const double scale = static_cast<double>(size) / static_cast<double>(declared_for);
  Layout layout;
  layout.bits = expected.contains("m") ? std::round(number(expected, "m", 1.0) * scale)
                                       : static_cast<double>(memory_bits);
  layout.block_bits = number(expected, "block_bits", 512.0);
  if (word == "blocked" || word == "split_block") {
    const double unit = word == "blocked" ? layout.block_bits : split_block_bits;
    if (expected.contains("nblocks")) layout.bits = number(expected, "nblocks", 1) * scale * unit;
    layout.bits = std::max(1.0, std::ceil(layout.bits / unit)) * unit;
  }
  const double best = std::round(std::log(2.0) * layout.bits / static_cast<double>(size));
  // More probes than this nobody makes, whatever the memory: an index of pages has much for few.
  constexpr double most_probes = 64.0;
  layout.k = static_cast<int>(number(expected, "k", std::clamp(best, 1.0, most_probes)));
  if (word.starts_with("standard") || word == "counting") {
    layout.kind = Layout::Kind::standard;
  } else if (word == "partitioned") {
    layout.kind = Layout::Kind::partitioned;
  } else if (word == "blocked") {
    layout.kind = Layout::Kind::blocked;
  } else if (word == "split_block") {
    layout.kind = Layout::Kind::split_block;
    layout.k = split_block_lanes;
  } else if (word == "scalable") {
    layout.kind = Layout::Kind::other;
    layout.form =
        theory::Query{"scalable",
                      {{"P", number(expected, "target", 0.01)},
                       {"r", number(expected, "tightening", 0.5)},
                       {"s", static_cast<std::uint64_t>(number(expected, "growth", 2))},
                       {"n0", static_cast<std::uint64_t>(number(expected, "first_capacity", 1))},
                       {"n", std::uint64_t{0}}}};
  } else {
    throw record::InputError("audit: expected: found \"" + word +
                             "\"; give standard, counting, partitioned, blocked, split_block or "
                             "scalable with m and k, or leave it out");
  }
  layout.odd_strides = word_of(expected, "probe") == "double_hashing_odd";
  return layout;
}

}  // namespace bloomlab::audit
