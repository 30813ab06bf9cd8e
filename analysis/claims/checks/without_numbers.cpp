// The checks without formulas: property, open and listed.

#include <array>

#include "analysis/claims/checks.hpp"
#include "analysis/claims/properties.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;

constexpr std::array<std::string_view, 3> property_keys = {"kind", "property", "as"};
constexpr std::array<std::string_view, 2> property_readings = {"definition", "behaviour"};
constexpr std::array<std::string_view, 3> open_keys = {"kind", "needs", "config"};
constexpr std::array<std::string_view, 2> listed_keys = {"kind", "why"};

const Property& property_called(const JsonView& view) {
  std::vector<std::string_view> names;
  for (const Property& property : properties()) names.push_back(property.name);
  const std::string_view name = view.word("property", names);
  for (const Property& property : properties()) {
    if (property.name == name) return property;
  }
  view.refuse("unknown property");
}

}  // namespace

Check PropertyCheck::read(const JsonView& check, const ClaimText& claim) {
  const ObjectReader reader(check, "a check", property_keys);
  const Property& property = property_called(reader.at("property", "the name of a property"));
  Verdict kept = Verdict::definition;
  if (reader.has("as") &&
      reader.at("as", "").word("reading", property_readings) == property_readings.back()) {
    kept = Verdict::right;
  }
  return [&property, kept, printed = claim.printed](const Results&) {
    const Observed observed = property.observe();
    Finding finding;
    finding.verdict = observed.holds ? kept : Verdict::wrong;
    finding.printed = printed;
    finding.computed_text = observed.seen;
    finding.entries_right = observed.holds ? 1 : 0;
    finding.note = std::string(property.name);
    return finding;
  };
}

Check OpenCheck::read(const JsonView& check, const ClaimText& claim) {
  const ObjectReader reader(check, "a check", open_keys);
  const std::string needs = reader.at("needs", "what would check it").text({"needs", ""});
  const std::string config =
      reader.has("config") ? reader.at("config", "").text({"config", ""}) : "";
  return [needs, config, printed = claim.printed](const Results& results) {
    Finding finding;
    const bool measured = !config.empty() && results.find(config) != nullptr;
    finding.verdict = measured ? Verdict::not_measured : Verdict::open;
    finding.printed = printed;
    finding.entries = 0;
    finding.note = "needs " + needs;
    if (measured) finding.note += "; results of " + config + " exist: write its check";
    return finding;
  };
}

Check ListedCheck::read(const JsonView& check, const ClaimText& claim) {
  const ObjectReader reader(check, "a check", listed_keys);
  const std::string why = reader.at("why", "why there is nothing to judge").text({"why", ""});
  return [why, printed = claim.printed](const Results&) {
    Finding finding;
    finding.printed = printed;
    finding.entries = 0;
    finding.note = why;
    return finding;
  };
}

}  // namespace bloomlab::analysis::claims
