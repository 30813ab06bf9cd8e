#include "analysis/claims/checks.hpp"

#include <algorithm>
#include <array>

#include "analysis/claims/properties.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;
using Keys = std::vector<std::string_view>;

std::string text_at(const ObjectReader& check, std::string_view key) {
  return check.has(key) ? check.at(key, "").text({key, "a text"}) : "";
}

ReadCheck read_property(const JsonView& view, const ClaimText& claim) {
  static constexpr std::array<std::string_view, 2> readings = {"definition", "behaviour"};
  const ObjectReader check(view, "a check", Keys{"property", "as"});
  Keys names;
  for (const Property& known : properties()) names.push_back(known.name);
  const std::string_view name = check.at("property", "").word("property", names);
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  const bool behaviour =
      check.has("as") && check.at("as", "").word("reading", readings) == readings.back();
  return {"property", [&property = properties()[static_cast<std::size_t>(at)], behaviour,
                       printed = claim.printed](const Results&) {
            const Observed observed = property.observe();
            const Verdict kept = behaviour ? Verdict::right : Verdict::definition;
            return Finding{.verdict = observed.holds ? kept : Verdict::wrong,
                           .printed = printed,
                           .computed_text = observed.seen,
                           .note = std::string(property.name),
                           .entries_right = observed.holds ? 1U : 0U};
          }};
}

ReadCheck read_open(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", Keys{"open", "config"});
  return {"open", [needs = "needs " + text_at(check, "open"), config = text_at(check, "config"),
                   printed = claim.printed](const Results& results) {
            Finding finding{.verdict = Verdict::open, .printed = printed, .note = needs};
            finding.entries = 0;
            if (!config.empty() && results.find(config) != nullptr) {
              finding.verdict = Verdict::not_measured;
              finding.note += "; results of " + config + " exist: write its check";
            }
            return finding;
          }};
}

ReadCheck read_listed(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", Keys{"listed"});
  return {"listed", [why = text_at(check, "listed"), printed = claim.printed](const Results&) {
            return Finding{.printed = printed, .note = why, .entries = 0};
          }};
}

}  // namespace

ReadCheck read_check(const JsonView& view, const ClaimText& claim) {
  using Read = ReadCheck (*)(const JsonView&, const ClaimText&);
  static constexpr std::pair<const char*, Read> readers[] = {{"sql", read_query},
                                                             {"property", read_property},
                                                             {"open", read_open},
                                                             {"listed", read_listed}};
  for (const auto& [key, read] : readers) {
    if (view.json().is_object() && view.json().contains(key)) return read(view, claim);
  }
  view.refuse("found " + record::shown(view.json()) +
              "; a check is an object with \"sql\", \"property\", \"open\" or \"listed\"");
}

}  // namespace bloomlab::analysis::claims
