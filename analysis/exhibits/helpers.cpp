#include "analysis/exhibits/helpers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/data/axes.hpp"
#include "analysis/format/number.hpp"
#include "analysis/text/embedded.hpp"
#include "core/theory/models.hpp"

namespace bloomlab::analysis {

Json printed_source(const std::string& name) {
  const auto text = embedded_text("sources/" + name + ".json");
  if (!text) throw std::logic_error("no printed source called " + name);
  return Json::parse(*text);
}

const Measurement* find_measurement(const Experiment& experiment,
                                    const std::function<bool(const Measurement&)>& fits) {
  const auto found =
      std::find_if(experiment.measurements.begin(), experiment.measurements.end(), fits);
  return found == experiment.measurements.end() ? nullptr : &*found;
}

const Measurement* find_standard(const Experiment& experiment, double m_over_n, std::uint64_t k) {
  return find_measurement(experiment, [&](const Measurement& m) {
    return word_at(m.cell, "/filter/kind") == "standard" &&
           std::abs(bits_per_key(m.cell) - m_over_n) < 1e-9 * m_over_n &&
           number_at(m.cell, "/filter/k") == static_cast<double>(k);
  });
}

double closed_form(std::uint64_t m_over_n, std::uint64_t k) {
  return theory::evaluate({"standard_approx", {{"m", m_over_n}, {"n", std::uint64_t{1}}, {"k", k}}})
      .number();
}

int printed_decimals(const std::string& printed) {
  const std::size_t point = printed.find('.');
  return point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
}

std::string Deviation::text() const { return signed_percent_with_interval(value, low, high); }

Deviation deviation_of(const Measurement& measurement) {
  if (!measurement.prediction || !measurement.estimate || !(measurement.prediction->rate > 0)) {
    return {};
  }
  const double exact = measurement.prediction->rate;
  const statistics::Estimate& rate = measurement.estimate->rate;
  return {rate.value / exact - 1, rate.interval.low / exact - 1, rate.interval.high / exact - 1};
}

Entry deviation_entry_of(const Measurement& measurement) {
  const Deviation deviation = deviation_of(measurement);
  if (!deviation.known()) return no_entry();
  const auto& test = measurement.estimate->rate_test;
  return {deviation.text(), deviation.value, test && test->flagged};
}

const Measurement* most_deviant(const Experiment& experiment,
                                const std::function<bool(const Measurement&)>& fits) {
  const Measurement* most = nullptr;
  double largest = -1;
  for (const Measurement& measurement : experiment.measurements) {
    if (!measurement.estimate || !measurement.estimate->rate_test || !fits(measurement)) continue;
    const double distance = std::abs(measurement.estimate->rate_test->z);
    if (distance > largest) {
      largest = distance;
      most = &measurement;
    }
  }
  return most;
}

std::string rate_text(const Measurement* measurement) {
  if (measurement == nullptr || !measurement->estimate) return "–";
  const statistics::Estimate& rate = measurement->estimate->rate;
  return with_interval(rate.value, rate.interval.low, rate.interval.high);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all.empty() ? "–" : all;
}

std::string first_of(const std::vector<std::string>& texts, std::size_t most, const Words& words) {
  if (texts.size() <= most) return joined(texts);
  const auto end = texts.begin() + static_cast<std::ptrdiff_t>(most);
  return words("list.more",
               {{"list", joined({texts.begin(), end})}, {"count", grouped(texts.size() - most)}});
}

std::string ratio_label(const Json& cell) { return "m/n = " + parameter_text(bits_per_key(cell)); }

}  // namespace bloomlab::analysis
