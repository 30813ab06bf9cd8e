#include "docs/lab/source/scaled.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "record/input_error.hpp"

namespace bloomlab::page {
namespace {

using record::Json;

constexpr std::uint64_t least_trials = 3;
constexpr std::uint64_t least_queries = 10'000;

double seconds_of(const Json& config, const std::string& path) {
  return experiments::estimate(experiments::config_of(config, path, browser)).seconds;
}

/// A count that falls with the time that is to be saved, down to `least`.
std::uint64_t reduced(std::uint64_t count, double factor, std::uint64_t least) {
  const auto wanted = static_cast<std::uint64_t>(std::floor(static_cast<double>(count) / factor));
  return std::min(count, std::max(wanted, least));
}

/// 123 456 -> 100 000: a count that people can say.
std::uint64_t round_down(std::uint64_t count) {
  std::uint64_t unit = 1;
  while (count / unit >= 10) unit *= 10;
  return count / unit * unit;
}

class Scaling {
 public:
  Scaling(Json config, std::string path, double seconds)
      : config_(std::move(config)), path_(std::move(path)), limit_(seconds) {}

  Scaled operator()() {
    drop_refused_sizes();
    if (seconds_ > limit_) reduce("trials", least_trials);
    if (seconds_ > limit_) reduce("queries", least_queries);
    while (seconds_ > limit_ && drop_largest_size()) seconds_ = seconds_of(config_, path_);
    return {std::move(config_), std::move(changes_)};
  }

 private:
  void change(Json& place, const std::string& key, Json to) {
    const auto known = std::ranges::find(changes_, key, &Change::key);
    if (known == changes_.end()) {
      changes_.push_back({key, place, to});
    } else {
      known->to = to;
    }
    place = std::move(to);
    if (key == "expected_flags" || !config_.contains("expected_flags")) return;
    Json& expected = config_["expected_flags"];
    if (!expected.empty()) change(expected, "expected_flags", Json::array());
  }

  void reduce(const std::string& key, std::uint64_t least) {
    if (!config_.contains(key) || !config_[key].is_number_unsigned()) return;
    const auto count = config_[key].get<std::uint64_t>();
    const std::uint64_t fewer = reduced(count, seconds_ / limit_, least);
    if (fewer == count) return;
    change(config_[key], key, std::max(round_down(fewer), std::min(count, least)));
    seconds_ = seconds_of(config_, path_);
  }

  bool drop_largest_size() {
    if (!config_["grid"].contains("n")) return false;
    Json& sizes = config_["grid"]["n"];
    if (!sizes.is_array() || sizes.size() < 2) return false;
    Json fewer = sizes;
    fewer.erase(std::max_element(fewer.begin(), fewer.end()));
    change(sizes, "n", std::move(fewer));
    return true;
  }

  /// Sizes that the page has no memory for; the first fault is told where none is left.
  void drop_refused_sizes() {
    try {
      seconds_ = seconds_of(config_, path_);
      return;
    } catch (const record::InputError&) {
      if (!drop_largest_size()) throw;
    }
    while (true) {
      try {
        seconds_ = seconds_of(config_, path_);
        return;
      } catch (const record::InputError&) {
        if (!drop_largest_size()) throw;
      }
    }
  }

  Json config_;
  std::string path_;
  double limit_;
  double seconds_ = 0.0;
  std::vector<Change> changes_;
};

}  // namespace

Scaled scaled(Json config, const std::string& path, double seconds) {
  return Scaling(std::move(config), path, seconds)();
}

}  // namespace bloomlab::page
