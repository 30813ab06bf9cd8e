#include "experiments/kinds/known_texts.hpp"

#include <chrono>
#include <unordered_set>

#include "experiments/applications/counted_memory.hpp"
#include "experiments/applications/draws.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using TextPoint = KnownTexts::Point::Parameters;
using CountedText = std::basic_string<char, std::char_traits<char>, CountingAllocator<char>>;

struct TextHash {
  std::size_t operator()(const CountedText& text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// The hash set of the standard library, whose memory is counted.
class HashSet final : public Membership {
 public:
  void insert(std::string_view key) override { set_.emplace(key); }
  [[nodiscard]] bool contains(std::string_view key) const override {
    return set_.contains(CountedText(key));
  }
  void clear() override { set_.clear(); }

 private:
  std::unordered_set<CountedText, TextHash, std::equal_to<>, CountingAllocator<CountedText>> set_;
};

/// How many lines a file has that is kept whole; the others say themselves.
std::uint64_t listed_texts(const TextPoint& at) {
  constexpr std::uint64_t lines_of_a_long_file = 1'000'000;
  return at.n == 0 ? lines_of_a_long_file : at.n;
}

}  // namespace

std::optional<std::string> KnownTexts::check(const Parameters& p, const Point::Parameters& at) {
  const bool edits = at.unlisted_are != Unlisted::fresh;
  if (is_generated(at.list) == edits) {
    return edits ? "list \"" + at.list + "\" is generated: unlisted_are must be \"fresh\""
                 : "list \"" + at.list +
                       "\" is a file: unlisted_are must be \"distance_1\" or \"distance_2\" (or "
                       "the list \"addresses\" or \"names\")";
  }
  if (is_generated(at.list) && at.n == 0) {
    return "n is 0, which means all lines of a file; the list \"" + at.list +
           "\" is generated and needs an n from 1";
  }
  if (at.list == "names" && at.n + p.unlisted > most_names) {
    return "n and unlisted are " + std::to_string(at.n + p.unlisted) + " names; at most " +
           std::to_string(most_names) + " are there";
  }
  return std::nullopt;
}

std::uint64_t KnownTexts::memory_bytes(const Point::Parameters& at) {
  const std::uint64_t n = listed_texts(at);
  const std::uint64_t lines = is_generated(at.list) ? 0 : 150 * n;
  return lines + (at.bits_per_text == 0 ? 120 * n : n * at.bits_per_text / 8);
}

double KnownTexts::seconds(const Parameters& p, const Point::Parameters& at) {
  const double lookups = static_cast<double>(2 * listed_texts(at) + p.unlisted);
  return 1e-9 * lookups * (150.0 + 10.0 * static_cast<double>(at.bits_per_text));
}

Measurement KnownTexts::measure_with(const MakeMembership& make, const Parameters& p,
                                     const Point::Parameters& at, std::uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  const auto texts = make_texts(at.list, at.n, at.unlisted_are, seed);
  const std::uint64_t listed = texts->size();
  const std::uint64_t m = at.bits_per_text * listed;
  const std::uint64_t k = m == 0 ? 0 : fitting_probes(at.bits_per_text);
  const auto known = make(m, k, KeyedDraws(~seed).number());
  std::string text;
  std::uint64_t list_bytes = 0;
  for (std::uint64_t i = 0; i < listed; ++i) {
    texts->listed(i, text);
    known->insert(std::string_view(text));
    list_bytes += text.size() + 1;
  }
  const std::uint64_t set_bytes = m == 0 ? allocated_bytes : 0;
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < listed; ++i) {
    texts->listed(i, text);
    found += known->contains(std::string_view(text)) ? 1 : 0;
  }
  std::uint64_t alarms = 0;
  std::uint64_t alarm_bytes = 0;
  for (std::uint64_t i = 0; i < p.unlisted; ++i) {
    texts->next_unlisted(text);
    if (!known->contains(std::string_view(text))) continue;
    ++alarms;
    alarm_bytes += text.size() + 1;
  }
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  return {std::nullopt,
          {{"listed", listed},
           {"true_positives", found},
           {"false_negatives", listed - found},
           {"false_positives", alarms},
           {"true_negatives", p.unlisted - alarms},
           {"m", m},
           {"k", k},
           {"filter_bytes", (m + 63) / 64 * 8},
           {"list_bytes", list_bytes},
           {"set_bytes", set_bytes},
           {"alarm_bytes", alarm_bytes}},
          {{"trial_ns", std::chrono::nanoseconds(elapsed).count()}}};
}

std::vector<Measurement> KnownTexts::measure(const Parameters& p, const Point::Parameters& at,
                                             std::uint64_t seed) {
  const auto hash_set = [](std::uint64_t, std::uint64_t, std::uint64_t) {
    return std::make_unique<HashSet>();
  };
  return {measure_with(at.bits_per_text == 0 ? MakeMembership(hash_set) : standard_filter, p, at,
                       seed)};
}

}  // namespace bloomlab::experiments
