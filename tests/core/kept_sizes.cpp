// What this release answers of every filter: which parameters it takes, what it says of itself,
// parameters for a goal, keys until a rate, memory, rate and lines read, and what it holds after
// keys; and what every hash makes of keys.
// Other tests hold them against theory and published values; here no change of the code may change
// one unnoticed. tests/core/golden/sizes.txt has the lines; BLOOMLAB_KEPT_SIZES names a file that
// they are written to, for a change that is meant.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/capacity.hpp"
#include "core/filters/sizing.hpp"
#include "core/hashing.hpp"
#include "core/theory/models.hpp"
#include "core/type_list.hpp"
#include "tests/core/support.hpp"
#include "tests/paths.hpp"

using namespace bloomlab;

namespace {

/// Parameters as "name=value" each.
class AsText {
 public:
  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    out_ << ' ' << field.name << '=' << value;
  }
  void operator()(const IntegerField& field, std::optional<std::uint64_t>& value) {
    out_ << ' ' << field.name << '=';
    if (value) out_ << *value;
  }
  void operator()(const RealField& field, double& value) {
    out_ << ' ' << field.name << '=' << value;
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    out_ << ' ' << field.name << '=' << field.words[static_cast<std::size_t>(value)];
  }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

template <class Filter>
std::string text_of(typename Filter::Parameters parameters) {
  AsText visit;
  Filter::describe(visit, parameters);
  return visit.text();
}

/// Five digits: those behind are the mathematical library's.
std::string rate_text(double rate) {
  std::ostringstream out;
  out.precision(5);
  out << rate;
  return out.str();
}

template <class Filter>
void add_sizes(std::vector<std::string>& lines) {
  for (const std::uint64_t n :
       {1ULL, 1'000ULL, 777'777ULL, 3'000'000'000ULL, 40'000'000'000'000ULL}) {
    for (const double rate : {0.3, 0.01, 1e-5, 1e-12}) {
      const auto found = try_parameters_for<Filter>(n, rate);
      lines.push_back("for " + std::to_string(n) + " keys at " + rate_text(rate) + ":" +
                      (found ? text_of<Filter>(*found) : " none"));
    }
    for (const std::uint64_t bits : {8U * n, 17U * n + 500U}) {
      const auto found = best_parameters<Filter>(SizingGoal{.n = n, .memory_bits = bits});
      lines.push_back("for " + std::to_string(n) + " keys in " + std::to_string(bits) +
                      " bits:" + (found ? text_of<Filter>(*found) : " none"));
    }
  }
}

/// What a filter says of itself where it is sized.
template <class Filter>
void add_says(std::vector<std::string>& lines) {
  for (const std::uint64_t n : {1'000ULL, 40'000'000'000'000ULL}) {
    const auto sizing = Filter::sizing({.n = n, .rate = 0.01});
    std::ostringstream line;
    line << "says for " << n << " keys at 0.01:";
    for (const auto& shape : sizing.shapes) line << " from " << shape.least << " to " << shape.most;
    const Traits& can = sizing.traits;
    line << (can.takes_keys_later ? "" : " built") << (can.deletes ? " deletes" : "")
         << (can.grows ? " grows" : "") << (can.exact ? " exact" : "")
         << (can.whole_hashes ? " whole hashes" : "");
    for (const std::string& text : {sizing.false_negatives, sizing.note, sizing.unavailable}) {
      if (!text.empty()) line << "; " << text;
    }
    lines.push_back(line.str());
  }
}

template <class Filter>
void add_facts(const typename Filter::Parameters& p, std::vector<std::string>& lines) {
  std::string line = "of" + text_of<Filter>(p) + ":";
  for (const std::uint64_t n : {0U, 1U, 500U, 20'000U}) {
    line += ' ' + std::to_string(Filter::memory_bits(p, n)) + " bits";
    try {
      line += " rate " + rate_text(theory::evaluate(Filter::prediction(p, n)).number());
    } catch (const theory::DomainError&) {
      line += " no rate";
    }
    if constexpr (requires { Filter::probes(p, n); }) {
      line += " probes " + rate_text(static_cast<double>(Filter::probes(p, n)));
    }
    if constexpr (Sized<Filter>) {
      const LinesRead lines_read = Filter::lines(p, n);
      line += " lines " + rate_text(lines_read.absent) + ' ' + rate_text(lines_read.present);
    }
  }
  if constexpr (requires { Filter::most_keys(p); }) {
    line += " most " + std::to_string(Filter::most_keys(p));
  }
  lines.push_back(line);
  if constexpr (Sized<Filter>) {
    line = "keys until .3, .01, 1e-6:";
    for (const double rate : {0.3, 0.01, 1e-6}) {
      line += ' ' + std::to_string(capacity_for<Filter>(p, rate));
    }
    lines.push_back(line);
  }
}

/// Every parameter: what it may be, and what it is when left out.
struct FieldLines {
  std::vector<std::string>& lines;
  template <class Value>
  void operator()(const IntegerField& field, Value&) {
    std::ostringstream line;
    line << "takes " << field.name << " [" << field.unit << "]: " << field.min << " to "
         << field.max;
    if (field.fallback) line << ", " << *field.fallback << " when left out";
    lines.push_back(line.str());
  }
  void operator()(const RealField& field, double&) {
    std::ostringstream line;
    line << "takes " << field.name << " [" << field.unit
         << "]: " << (field.min_excluded ? "above " : "") << field.min << " to "
         << (field.max_excluded ? "below " : "") << field.max;
    if (field.fallback) line << ", " << *field.fallback << " when left out";
    lines.push_back(line.str());
  }
  template <class Enum>
  void operator()(const ChoiceField& field, Enum&) {
    std::string line = "takes " + std::string(field.name) + ':';
    for (const auto word : field.words) line += ' ' + std::string(word);
    if (field.fallback) line += ", " + std::string(field.words[*field.fallback]) + " when left out";
    lines.push_back(line);
  }
};

/// A number that stands for many: FNV-1a over their bytes.
class Together {
 public:
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (number >> (8 * byte) & 255)) * 0x100000001b3;
    }
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out << std::hex << hash_;
    return out.str();
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// With every probe and a few keys, and more than a small filter has room for: set bits, keys
/// refused, and how many of other keys it contains.
template <class Filter>
void add_states(std::vector<std::string>& lines) {
  const auto absent = bloomlab::test::keys(1'000'000, 3000);
  std::vector<std::pair<std::string, Together>> states;
  std::uint64_t refused = 0;
  bloomlab::test::for_each_setting<Filter>([&](const auto& p, const Probe& probe) {
    const std::string name = text_of<Filter>(p);
    if (states.empty() || states.back().first != name) states.push_back({name, {}});
    Together& counts = states.back().second;
    for (const std::uint64_t n : {20U, 900U, Filter::chooses_positions ? 30'000U : 1U}) {
      bloomlab::test::Implementation<Filter> filter(p, probe, n);
      filter.insert(bloomlab::test::keys(0, n));
      const FilterState state = filter.filter().state();
      refused += state.refused;
      for (const auto count : {state.bits_set, state.refused, state.transmitted_bits,
                               filter.count_contained(absent)}) {
        counts.add(count);
      }
      for (const auto& layer : state.layers) counts.add(layer.bits_set);
    }
  });
  for (const auto& [name, counts] : states) lines.push_back("holds" + name + ": " + counts.text());
  if (refused != 0) lines.push_back("refused of the keys: " + std::to_string(refused));
}

/// The same of filters that are built from all keys at once.
template <class Filter>
void add_built_states(std::vector<std::string>& lines) {
  const Hasher hasher = Hasher::of<XxHash3_64>();
  for (const auto& p : Filter::examples()) {
    Together counts;
    for (const std::size_t n : {1U, 20U, 3000U}) {
      const auto keys = bloomlab::test::keys(0, n);
      DigestBuffer buffer;
      const auto filter =
          Filter::build(p, hasher.digest(KeyBatch::integers(keys, 8), 1, Filter::need(p), buffer));
      counts.add(filter ? filter->state().bits_set : 0);
      if (!filter) continue;
      DigestBuffer others;
      const auto absent = bloomlab::test::keys(1'000'000, 50'000);
      counts.add(filter->count_contained(
          hasher.digest(KeyBatch::integers(absent, 8), 1, Filter::need(p), others)));
    }
    lines.push_back("holds" + text_of<Filter>(p) + ": " + counts.text());
  }
}

/// Two words of integers of both widths and of texts, by two seeds.
void add_digests(const Hasher& hasher, std::vector<std::string>& lines) {
  const auto add = [&](const char* what, const KeyBatch& keys) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15}}) {
      DigestBuffer buffer;
      const DigestBatch digests = hasher.digest(keys, seed, {.words = 2}, buffer);
      std::ostringstream line;
      line << what << " by " << std::hex << seed << ':';
      for (std::size_t key = 0; key < digests.size; ++key) {
        line << ' ' << digests.words[key] << '.' << digests.words[digests.stride + key];
      }
      lines.push_back(line.str());
    }
  };
  const std::vector<std::uint64_t> integers = {0, 1, 0x89abcdef};
  add("integers of 8 bytes", KeyBatch::integers(integers, 8));
  add("integers of 4 bytes", KeyBatch::integers(integers, 4));
  const std::vector<std::string_view> texts = {"", "bloom",
                                               "a text that is longer than 32 bytes is"};
  if (!hasher.passes_through()) add("texts", KeyBatch::texts(texts));
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE(
    "parameters, sizes, rates and states of every filter, and digests, are those of the release",
    "[core][kept]") {
  std::string all;
  const auto add = [&](std::string_view name, const std::vector<std::string>& lines) {
    all += std::string(name) + '\n';
    for (const std::string& line : lines) all += "  " + line + '\n';
  };
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Described<Filter>) {
      std::vector<std::string> lines;
      typename Filter::Parameters fields{};
      FieldLines takes{lines};
      Filter::describe(takes, fields);
      if constexpr (Sized<Filter>) {
        add_says<Filter>(lines);
        add_sizes<Filter>(lines);
      }
      for (const auto& p : Filter::examples()) add_facts<Filter>(p, lines);
      if constexpr (Growing<Filter>) add_states<Filter>(lines);
      if constexpr (Built<Filter>) add_built_states<Filter>(lines);
      add(Filter::name, lines);
    }
  });
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    std::vector<std::string> lines;
    add_digests(Hasher::of<Hash>(), lines);
    add(Hash::name, lines);
  });
  if (const char* path = std::getenv("BLOOMLAB_KEPT_SIZES")) std::ofstream(path) << all;
  std::istringstream found(all);
  std::istringstream kept(read(std::string(BLOOMLAB_SOURCE_DIR) + "/tests/core/golden/sizes.txt"));
  std::string name;
  std::string line;
  std::string kept_line;
  while (std::getline(found, line)) {
    if (!line.starts_with(' ')) name = line;
    std::getline(kept, kept_line);
    INFO(name);
    CHECK(line == kept_line);
    CHECK(line.find("nan") == std::string::npos);
  }
  CHECK_FALSE(std::getline(kept, kept_line));
}

TEST_CASE("a goal without keys or a rate is refused, and one that nothing reaches",
          "[core][kept]") {
  for (const auto& [n, rate] : {std::pair(0, 0.5), {1, 0.0}, {1, 1.0}, {1, 2.0}, {1, -0.5}}) {
    CHECK_THROWS_WITH(parameters_for<Standard>(static_cast<std::uint64_t>(n), rate),
                      Catch::EndsWith("were asked for; give at least 1 key and a rate above 0, "
                                      "below 1"));
  }
  CHECK_THROWS_WITH(parameters_for<Standard>(std::uint64_t{1} << 47, 1e-12),
                    Catch::StartsWith("standard: no parameters give 140737488355328 keys"));
}

TEST_CASE("as many keys as have a rate are within that rate, and the next one is not",
          "[core][kept]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Sized<Filter>) {
      for (const auto& p : Filter::examples()) {
        INFO(Filter::name << text_of<Filter>(p));
        for (const std::uint64_t n : {1U, 12U, 300U}) {
          const double rate = Filter::rate(p, n);
          if (!(rate > 0.0 && rate < 1.0)) continue;
          const std::uint64_t keys = capacity_for<Filter>(p, rate);
          CHECK(keys >= n);
          CHECK((keys == n || Filter::rate(p, keys) <= rate));
        }
      }
    }
  });
}
