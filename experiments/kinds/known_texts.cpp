#include "experiments/kinds/known_texts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "experiments/applications/containers.hpp"
#include "experiments/applications/counted_memory.hpp"
#include "experiments/applications/draws.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using TextPoint = KnownTexts::Point::Parameters;
/// Texts that are made one after the other and given to the set together, some hundreds at a time.
class TextBatch {
 public:
  /// Calls use(views) for the texts that `make(i, text)` writes, i < count.
  template <class Make, class Use>
  void each(std::uint64_t count, Make&& make, Use&& use) {
    for (std::uint64_t done = 0; done < count;) {
      const auto part =
          static_cast<std::size_t>(std::min<std::uint64_t>(texts_.size(), count - done));
      for (std::size_t i = 0; i < part; ++i) {
        make(done + i, texts_[i]);
        views_[i] = texts_[i];
      }
      use(std::span<const std::string_view>(views_).first(part));
      done += part;
    }
  }

 private:
  std::array<std::string, 512> texts_;
  std::array<std::string_view, 512> views_;
};

/// How many lines a file has that is kept whole; the others say themselves.
std::uint64_t listed_texts(const TextPoint& at) {
  constexpr std::uint64_t lines_of_a_long_file = 1'000'000;
  if (at.list == hyphenation_exceptions) return exceptions_of_hyphenation;
  return at.n == 0 ? lines_of_a_long_file : at.n;
}

bool is_file(const TextPoint& at) {
  return !is_generated(at.list) && at.list != hyphenation_exceptions;
}

/// The list as make_texts() takes it.
std::string list_of(const TextPoint& at) {
  return is_file(at) ? (at.folder / at.list).string() : at.list;
}

}  // namespace

std::optional<std::string> KnownTexts::check(const Parameters& p, const Point::Parameters& at) {
  const bool lines = at.unlisted_are == Unlisted::lines;
  if (lines != at.unlisted_path.has_value()) {
    return lines ? "unlisted_are is \"lines\": give the file that has them as unlisted_path"
                 : "unlisted_path is given: unlisted_are must be \"lines\", or leave it out";
  }
  if (at.list == hyphenation_exceptions && !lines) {
    return "list \"" + at.list + "\" is no file: unlisted_are must be \"lines\"";
  }
  const bool edits = at.unlisted_are != Unlisted::fresh;
  if (is_generated(at.list) == edits) {
    return edits ? "list \"" + at.list + "\" is generated: unlisted_are must be \"fresh\""
                 : "list \"" + at.list +
                       "\" is a file: unlisted_are must be \"distance_1\", \"distance_2\" or "
                       "\"lines\" (or the list \"addresses\" or \"names\")";
  }
  if (is_generated(at.list) && at.n == 0) {
    return "n is 0, which means all lines of a file; the list \"" + at.list +
           "\" is generated and needs an n from 1";
  }
  if (at.list == "names" && at.n + p.unlisted > most_names) {
    return "n and unlisted are " + std::to_string(at.n + p.unlisted) + " names; at most " +
           std::to_string(most_names) + " are there";
  }
  for (const std::string& path : files(at)) {
    if (std::error_code fault; std::filesystem::is_regular_file(path, fault)) continue;
    const std::string rule = "a relative path of list or unlisted_path starts from the config's";
    return "found \"" + path + "\", which is no file; " + rule + " folder";
  }
  return std::nullopt;
}

std::set<std::string> KnownTexts::files(const Point::Parameters& at) {
  std::set<std::string> paths;
  if (is_file(at)) paths.insert(list_of(at));
  if (at.unlisted_path) paths.insert(at.folder / *at.unlisted_path);
  return paths;
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
  const auto texts = make_texts(list_of(at), at.n, at.unlisted_are, seed,
                                at.folder / at.unlisted_path.value_or(""));
  const std::uint64_t listed = texts->size();
  const std::uint64_t m = at.bits_per_text * listed;
  const std::uint64_t k = m == 0 ? 0 : fitting_probes(at.bits_per_text);
  const auto known = make(m, k, KeyedDraws(~seed).number());
  using Views = std::span<const std::string_view>;
  TextBatch batch;
  const auto listed_text = [&](std::uint64_t i, std::string& text) { texts->listed(i, text); };
  std::uint64_t list_bytes = 0;
  batch.each(listed, listed_text, [&](Views views) {
    known->insert(views);
    for (const std::string_view text : views) list_bytes += text.size() + 1;
  });
  known->ready();
  const std::uint64_t set_bytes = m == 0 ? allocated_bytes : 0;
  std::uint64_t found = 0;
  batch.each(listed, listed_text, [&](Views views) { found += known->count_contained(views); });
  std::uint64_t alarms = 0;
  std::uint64_t alarm_bytes = 0;
  std::string text;
  for (std::uint64_t i = 0; i < p.unlisted; ++i) {
    texts->next_unlisted(text);
    if (!known->contains(std::string_view(text))) continue;
    ++alarms;
    alarm_bytes += text.size() + 1;
  }
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
          record::Json::object()};
}

std::vector<Measurement> KnownTexts::measure(const Parameters& p, const Point::Parameters& at,
                                             std::uint64_t seed) {
  const auto hash_set = [](std::uint64_t, std::uint64_t, std::uint64_t) {
    return make_container(Container::unordered_set);
  };
  return {measure_with(at.bits_per_text == 0 ? MakeMembership(hash_set) : standard_filter, p, at,
                       seed)};
}

}  // namespace bloomlab::experiments
