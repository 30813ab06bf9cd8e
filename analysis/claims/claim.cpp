#include "analysis/claims/claim.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>
#include <utility>

#include "analysis/data/load.hpp"
#include "analysis/pages/tables.hpp"

namespace bloomlab::analysis::claims {

namespace {

/// What rounding may make of a formula of a few dozen operations.
constexpr double rounding_of_formulas = 1e-9;

constexpr std::array<std::string_view, 8> verdict_names = {
    "RIGHT", "DEFINITION", "MISPRINT", "ROUGH", "WRONG", "NOT MEASURED", "OPEN", "-"};

}  // namespace

std::vector<std::string> stems_named(const std::string& sql) {
  static const std::regex table(R"j("([^".]+)\.[a-z_]+")j");
  std::vector<std::string> stems;
  for (std::sregex_iterator found(sql.begin(), sql.end(), table), end; found != end; ++found) {
    stems.push_back((*found)[1]);
  }
  return stems;
}

const Experiment* Results::find(const std::string& stem) const& {
  for (const Experiment& experiment : given_) {
    if (experiment.stem == stem) return &experiment;
  }
  const auto [entry, is_new] = read_.try_emplace(stem);
  const std::filesystem::path file = folder_ / (stem + ".json");
  if (is_new && !folder_.empty() && std::filesystem::exists(file)) {
    entry->second = analyse({stem, stem + ".json", record::read_result_file(file), std::nullopt});
  }
  return entry->second ? &*entry->second : nullptr;
}

pages::Relation Results::query(const std::string& sql, const std::string& where) const {
  std::vector<const Experiment*> named;
  for (const std::string& stem : stems_named(sql)) {
    if (const Experiment* experiment = find(stem)) named.push_back(experiment);
  }
  return pages::Numbers(std::move(named), sql).query(sql, where);
}

std::string_view name_of(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<PrintedNumber> parse_printed(std::string_view printed) {
  std::string text(printed);
  double unit = 1;
  if (text.ends_with('%')) {
    text.pop_back();
    unit = 0.01;
  }
  std::erase(text, ' ');
  PrintedNumber number;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number.value);
  if (fault != std::errc() || stop != end || !std::isfinite(number.value)) return std::nullopt;
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = text.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(exponent - point - 1);
  int power = 0;
  if (exponent < text.size()) {
    const std::size_t digits = exponent + (text[exponent + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + digits, end, power);
  }
  number.value *= unit;
  number.half_unit = 0.5 * std::pow(10.0, power - decimals) * unit;
  return number;
}

Verdict judge(const PrintedNumber& claimed, double truth, const Tolerance& tolerance) {
  if (tolerance.relation == Relation::at_most && truth <= claimed.value) return Verdict::right;
  if (tolerance.relation == Relation::at_least && truth >= claimed.value) return Verdict::right;
  const double distance = std::abs(claimed.value - truth);
  const double rounding = rounding_of_formulas * std::abs(truth);
  const double allowed =
      tolerance.right_within ? *tolerance.right_within * std::abs(truth) : claimed.half_unit;
  if (distance <= allowed + rounding) return Verdict::right;
  return distance <= tolerance.rough_within * std::abs(truth) ? Verdict::rough : Verdict::wrong;
}

}  // namespace bloomlab::analysis::claims
