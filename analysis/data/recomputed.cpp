#include "analysis/data/recomputed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "analysis/data/axes.hpp"
#include "core/bits/conditional_rate.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {
namespace {

using record::Observation;

constexpr std::uint64_t longest_time = 1'000'000'000'000'000'000;

/// Filters whose rate is that of one array of m bits, of which each probe meets any.
constexpr std::array<std::string_view, 4> one_array = {"standard", "compressed", "counting",
                                                       "spectral"};

class Recheck {
 public:
  Recheck(const record::ResultFile& file, const std::string& where) : where_(where) {
    const std::string kind = file.config.value("kind", "");
    if (kind == "false_positive_rate" || kind == "growth") {
      queries_ = as_count(value_at(file.config, "/queries"));
    }
  }

  void operator()(const Observation& observation) {
    if (cell_ == nullptr || *cell_ != observation.cell) cell_text_ = observation.cell.dump();
    cell_ = &observation.cell;
    place_ = where_ + ": " + record::place_of(observation, cell_text_) + ": ";
    check_timing(observation.timing);
    const Json& measured = observation.measured;
    if (queries_) check_queries(measured);
    check_rate(observation.cell, measured);
    if (measured.contains("layer_bits")) {
      check_layers(measured, "layer_bits", "bits");
      check_layers(measured, "layer_bits_set", "bits_set");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& member, const std::string& fault) const {
    throw record::InputError(place_ + member + ": " + fault + "; run the config again");
  }

  void check_timing(const Json& timing) const {
    for (const auto& [name, value] : timing.items()) {
      const auto sound = [](const Json& one) {
        const auto time = as_count(one);
        return time && *time <= longest_time;
      };
      const bool holds =
          value.is_array() ? std::all_of(value.begin(), value.end(), sound) : sound(value);
      if (holds) continue;
      refuse("/timing/" + name,
             "found " + short_text(value) + ", allowed: whole numbers from 0 to 10^18");
    }
  }

  void check_queries(const Json& measured) const {
    const auto hits = as_count(value_at(measured, "/false_positives"));
    const auto misses = as_count(value_at(measured, "/true_negatives"));
    if (!hits || !misses || (*hits <= *queries_ && *misses == *queries_ - *hits)) return;
    refuse("/measured", std::to_string(*hits) + " false positives and " + std::to_string(*misses) +
                            " true negatives are not the config's " + std::to_string(*queries_) +
                            " queries");
  }

  void check_rate(const Json& cell, const Json& measured) const {
    const std::string kind = word_at(cell, "/filter/kind");
    const auto m = as_count(value_at(cell, "/filter/m"));
    const auto k = as_count(value_at(cell, "/filter/k"));
    if (!m || !k || std::find(one_array.begin(), one_array.end(), kind) == one_array.end()) return;
    const auto bits = as_count(value_at(measured, "/bits"));
    const auto set = as_count(value_at(measured, "/bits_set"));
    const Json rate = value_at(measured, "/conditional_rate");
    if (!bits || !set || !rate.is_number()) return;
    if (*bits != *m) {
      refuse("/measured/bits",
             "found " + std::to_string(*bits) + ", and the cell's m is " + std::to_string(*m));
    }
    const double own = conditional_rate(*set, *bits, *k);
    if (std::abs(rate.get<double>() - own) <= 1e-12 * own) return;
    refuse("/measured/conditional_rate", "found " + rate.dump() + ", and " + std::to_string(*set) +
                                             " set bits of " + std::to_string(*bits) + " give " +
                                             Json(own).dump());
  }

  void check_layers(const Json& measured, const std::string& list, const std::string& total) const {
    const Json layers = value_at(measured, "/" + list);
    const auto count = as_count(value_at(measured, "/layers"));
    const auto whole = as_count(value_at(measured, "/" + total));
    if (!count || !whole) return;
    std::uint64_t sum = 0;
    for (const Json& one : layers) sum += as_count(one).value_or(0);
    if (layers.size() == *count && sum == *whole) return;
    refuse("/measured/" + list, std::to_string(layers.size()) + " layers with the sum " +
                                    std::to_string(sum) + ", and there are " +
                                    std::to_string(*count) + " layers with " +
                                    std::to_string(*whole) + " " + total);
  }

  static std::string short_text(const Json& value) {
    constexpr std::size_t longest = 60;
    const std::string text = value.dump();
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
  }

  const std::string& where_;
  std::optional<std::uint64_t> queries_;
  const Json* cell_ = nullptr;  // of the observation before
  std::string cell_text_;
  std::string place_;
};

}  // namespace

void check_recomputed(const record::ResultFile& file, const std::string& where) {
  if (file.provenance.contains("peers")) return;
  Recheck check(file, where);
  for (const Observation& observation : file.observations) check(observation);
}

}  // namespace bloomlab::analysis
