#include "audit/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/theory/bounds.hpp"
#include "record/number_text.hpp"

namespace bloomlab::audit {
namespace {

using record::Json;

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string findings_text(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += finding.breaks_promise ? "- **Broken.** " : "- Worth knowing. ";
    text += finding.text;
    text += " Cause (" + std::string(name(finding.certainty)) +
            "): " + std::string(words(finding.kind));
    if (!finding.cause.empty()) text += ": " + finding.cause;
    text += ".\n";
    constexpr std::size_t most_shown = 5;
    for (std::size_t i = 0; i < std::min(most_shown, finding.fits.size()); ++i) {
      const Fit& fit = finding.fits[i];
      text += "    - " + std::string(name(fit.kind)) + ": " + fit.text + "; deviance " +
              significant(fit.deviance, 3) + " over " + std::to_string(fit.degrees) +
              " degrees of freedom" +
              (fit.p_value < 1e-7 ? ", does not fit" : ", p = " + significant(fit.p_value, 2)) +
              "\n";
    }
  }
  return text;
}

std::string rates_text(const Report& report) {
  std::string text = row({"keys", "made for [keys]", "inserted [keys]", "filters", "absent keys",
                          "FPR", "95 % interval", "expected", "p by Holm"}) +
                     "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |\n";
  for (const Judged& judged : report.rates) {
    const RateCell& cell = judged.cell;
    text += row({cell.keys, std::to_string(cell.size), std::to_string(cell.inserted),
                 std::to_string(cell.filters), std::to_string(cell.queries),
                 significant(cell.rate(), 3),
                 significant(judged.low, 3) + " to " + significant(judged.high, 3),
                 significant(judged.expected, 3),
                 judged.off ? "**" + significant(judged.adjusted, 2) + "**"
                            : significant(judged.adjusted, 2)});
  }
  return text;
}

/// What was taken, beside the least that any filter of the measured rate needs.
std::string memory_text(const Report& report) {
  std::string text;
  for (const Judged& judged : report.rates) {
    const RateCell& cell = judged.cell;
    if (cell.inserted != cell.size || cell.keys != "random integers") continue;
    const double memory = static_cast<double>(cell.memory_bits);
    text += "- for " + std::to_string(cell.size) + " keys " + std::to_string(cell.memory_bits) +
            " bits, " + significant(memory / static_cast<double>(cell.size), 3) + " per key";
    if (cell.hits > 0) {
      text += ", " + significant(memory / theory::lower_bound_bits(cell.size, cell.rate()), 3) +
              " times the lower bound n log2(1/p) at the measured rate";
    }
    text += "\n";
  }
  return text;
}

std::string beyond_text(const Report& report) {
  std::string text;
  for (const Judged& judged : report.rates) {
    if (judged.cell.load() <= 1.0 || judged.cell.size != 1000) continue;
    text += "- " + significant(judged.cell.load(), 2) + " times the keys it was made for: FPR " +
            significant(judged.cell.rate(), 3) + "\n";
  }
  return text;
}

std::string checks_text(const Report& report) {
  std::string text;
  std::uint64_t keys = 0;
  std::size_t held = 0;
  for (const LossCheck& check : report.evidence.checks) {
    if (!check.skipped.empty()) {
      text += "- " + check.situation + ": not measured: " + check.skipped + "\n";
    } else if (check.lost == 0) {
      ++held;
      keys += check.inserted;
    } else {
      text += "- " + check.situation + ": " + std::to_string(check.lost) + " of " +
              std::to_string(check.inserted) + " inserted keys denied\n";
    }
  }
  return "- " + std::to_string(held) + " situations without a false negative (" +
         std::to_string(keys) + " inserted keys)\n" + text;
}

Json json_of(const RateCell& cell) {
  return {{"keys", cell.keys},
          {"size", cell.size},
          {"inserted", cell.inserted},
          {"filters", cell.filters},
          {"memory_bits", cell.memory_bits},
          {"absent_keys", cell.queries},
          {"false_positives", cell.hits},
          {"inserted_keys_queried", cell.inserted_queries},
          {"false_negatives", cell.lost}};
}

Json json_of(const Fit& fit) {
  return {{"class", name(fit.kind)},
          {"cause", fit.text},
          {"deviance", fit.deviance},
          {"degrees", fit.degrees},
          {"p_value", fit.p_value}};
}

Json json_of(const Finding& finding) {
  Json json{{"class", name(finding.kind)},
            {"certainty", name(finding.certainty)},
            {"breaks_promise", finding.breaks_promise},
            {"text", finding.text},
            {"cause", finding.cause},
            {"fits", Json::array()}};
  for (const Fit& fit : finding.fits) json["fits"].push_back(json_of(fit));
  return json;
}

}  // namespace

std::string page(const Report& report) {
  const Evidence& seen = report.evidence;
  std::string text =
      "# Audit of " + seen.name + (seen.version.empty() ? "" : " " + seen.version) + "\n\n";
  text += report.holds() ? "No promise was broken.\n" : "A promise is broken.\n";
  if (!report.requested.empty()) text += "Requested: " + report.requested + ".\n";
  text += report.layout_is_declared
              ? "Judged by the declared layout.\n"
              : "No layout was declared: the rate is judged as an upper bound.\n";
  if (!report.findings.empty()) text += "\n" + findings_text(report);
  text += "\n## False negatives\n\n" + checks_text(report);
  if (!report.rates.empty()) {
    text +=
        "\n## False-positive rates\n\nThe tests are one family: by Holm's procedure a right "
        "filter shows any flag with a probability of at most " +
        significant(report.alpha, 1) + ".\n\n" + rates_text(report);
    double worst = 0.0;
    for (const Judged& judged : report.rates) {
      if (judged.cell.inserted == judged.cell.size) worst = std::max(worst, judged.detectable);
    }
    if (worst > 0.0) {
      text += "\nAt the size a filter is made for, a rate that is " + percent(worst, 2) +
              " too high is noticed with a probability of 0.9, or better.\n";
    }
    text += "\n## Memory\n\n" + memory_text(report);
    text += "\n## Beyond capacity\n\n" + beyond_text(report);
  }
  if (seen.speed.query_ns > 0.0) {
    text += "\n## Speed\n\nAs called here, the way to its process included: " +
            significant(seen.speed.insert_ns, 3) + " ns per inserted key and " +
            significant(seen.speed.query_ns, 3) +
            " ns per absent key, in batches. Time within the process is not measured: "
            "`bloomlab bench` compares filters of this library.\n";
  }
  return text;
}

Json json(const Report& report) {
  const Evidence& seen = report.evidence;
  Json json{{"$schema", "bloomlab-audit-1"},
            {"name", seen.name},
            {"version", seen.version},
            {"requested", report.requested},
            {"layout_declared", report.layout_is_declared},
            {"holds", report.holds()},
            {"alpha", report.alpha},
            {"failure", seen.failure},
            {"findings", Json::array()},
            {"rates", Json::array()},
            {"false_negative_checks", Json::array()},
            {"twins", Json::array()}};
  for (const Finding& finding : report.findings) json["findings"].push_back(json_of(finding));
  for (const Judged& judged : report.rates) {
    Json cell = json_of(judged.cell);
    cell["fpr"] = judged.cell.rate();
    cell["fpr_low"] = judged.low;
    cell["fpr_high"] = judged.high;
    cell["expected"] = judged.expected;
    cell["p_value"] = judged.p_value;
    cell["p_holm"] = judged.adjusted;
    cell["off"] = judged.off;
    cell["minimum_detectable_increase"] = judged.detectable;
    json["rates"].push_back(std::move(cell));
  }
  for (const LossCheck& check : seen.checks) {
    json["false_negative_checks"].push_back({{"situation", check.situation},
                                             {"inserted", check.inserted},
                                             {"lost", check.lost},
                                             {"first", check.first},
                                             {"skipped", check.skipped}});
  }
  for (const Twins& twins : seen.twins) {
    json["twins"].push_back({{"difference", twins.difference},
                             {"pairs", twins.pairs},
                             {"reported", twins.reported},
                             {"absent_keys", twins.absent},
                             {"false_positives", twins.hits}});
  }
  json["seeds"] = {{"queries", seen.seeds.queries},
                   {"first", seen.seeds.first},
                   {"second", seen.seeds.second},
                   {"both", seen.seeds.both}};
  json["repeats"] = {{"answers", seen.repeats.answers},
                     {"changed", seen.repeats.changed},
                     {"empty_hits", seen.repeats.empty_hits},
                     {"remade_changed", seen.repeats.remade_changed}};
  return json;
}

}  // namespace bloomlab::audit
