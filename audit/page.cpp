#include "audit/page.hpp"

#include <algorithm>

#include "record/fields_json.hpp"
#include "record/number_text.hpp"

namespace bloomlab::audit {
namespace {

using record::Json;
using record::object;

template <class Ones, class JsonOf>
Json list_of(const Ones& ones, JsonOf json_of) {
  Json list = Json::array();
  for (const auto& one : ones) list.push_back(json_of(one));
  return list;
}

Json cell_json(const RateCell& cell) {
  return object("keys", cell.keys, "size", cell.size, "inserted", cell.inserted, "filters",
                cell.filters, "memory_bits", cell.memory_bits, "absent_keys", cell.queries,
                "false_positives", cell.hits, "inserted_keys_queried", cell.inserted_queries,
                "false_negatives", cell.lost);
}

Json fit_json(const Fit& fit) {
  return object("class", fit.kind, "cause", fit.text, "deviance", fit.deviance, "degrees",
                fit.degrees, "p_value", fit.p_value);
}

Json finding_json(const Finding& finding) {
  return object("class", finding.kind, "certainty", finding.certainty, "breaks_promise",
                finding.breaks_promise, "text", finding.text, "cause", finding.cause,
                "not_excluded", finding.rivals, "fits", list_of(finding.fits, fit_json));
}

Json judged_json(const Judged& judged) {
  Json cell = cell_json(judged.cell);
  cell.update(object("fpr", judged.cell.rate(), "fpr_low", judged.low, "fpr_high", judged.high,
                     "expected", judged.expected, "p_value", judged.p_value, "p_holm",
                     judged.adjusted, "off", judged.off, "p_holm_as_random_integers",
                     judged.as_random, "minimum_detectable_increase", judged.detectable));
  return cell;
}

Json together_json(const Together& load) {
  return object("load", load.load, "sizes", load.sizes, "excess", load.excess, "p_value",
                load.p_value, "p_holm", load.adjusted, "off", load.off);
}

Json bits_json(const BitCount& count) {
  return object("size", count.size, "memory_bits", count.memory_bits, "inserted", count.keys, "set",
                count.reached);
}

Json twins_json(const Twins& twins) {
  return object("difference", twins.difference, "pairs", twins.pairs, "reported", twins.reported,
                "absent_keys", twins.absent, "false_positives", twins.hits);
}

Json speed_json(const Speed& speed) {
  return object("name", speed.name, "insert", speed.insert_ns, "absent", speed.absent_ns,
                "inserted", speed.inserted_ns, "failure", speed.failure);
}

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
    if (finding.kind != Class::unknown || !finding.cause.empty()) {
      text += " Cause (" + std::string(name(finding.certainty)) +
              "): " + std::string(words(finding.kind));
      if (!finding.cause.empty()) text += ": " + finding.cause;
      text += ".";
    }
    if (!finding.rivals.empty()) text += " Not excluded: " + finding.rivals + ".";
    text += "\n";
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

/// What was taken, beside what was promised and the least that any filter of the rate needs.
std::string memory_text(const Report& report) {
  std::string text = row({"made for [keys]", "allocated [bits]", "per key [bits]",
                          "promised [bits]", "over the lower bound"}) +
                     "| ---: | ---: | ---: | ---: | ---: |\n";
  for (const Memory& memory : report.memory) {
    const auto bits = static_cast<double>(memory.bits);
    text += row({std::to_string(memory.keys), std::to_string(memory.bits),
                 significant(bits / static_cast<double>(memory.keys), 3),
                 memory.promised_bits > 0.0 ? fixed(memory.promised_bits, 0) : "-",
                 memory.lower_bound_bits > 0.0 ? significant(bits / memory.lower_bound_bits, 3)
                                               : "no false positive seen"});
  }
  return text +
         "\nThe lower bound is n log2(1/p) at the measured rate p; of a rate that is requested, "
         "promised are the bits of a standard filter.\n";
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

std::string attack_text(const Report& report) {
  const Attack& attack = report.attack;
  const std::string size = "a full filter for " + std::to_string(attack.keys) + " keys";
  std::string text = attack.tries > 0.0 ? "- Random keys until " + size +
                                              " reports one: " + significant(attack.tries, 3) + "\n"
                                        : "- No random key was reported by " + size + ".\n";
  constexpr std::uint64_t enough = 30;
  text += "- Of " + std::to_string(attack.found) + " absent keys reported under one seed " +
          std::to_string(attack.hold) + " are reported under another, by chance " +
          significant(attack.hold_by_chance, 2) + ": ";
  if (attack.found < enough) {
    text += "too few to say whether the seed protects.\n";
  } else if (attack.hold == attack.found) {
    text += "who knows the hash finds such keys in a filter of his own, and they hold in all.\n";
  } else {
    text += "what is found in one filter is worth little in another of another seed.\n";
  }
  if (attack.chosen_rate > 0.0) {
    text += "- Who chooses the inserted keys so that each sets only new bits brings the FPR of " +
            size + " to " + significant(attack.chosen_rate, 3) +
            ", (kn/m)^k (Gerbet, Kumar, Lauradoux 2015).\n";
  }
  return text;
}

std::string speed_text(const Report& report) {
  const Evidence& seen = report.evidence;
  std::string text = "Median time per key [ns] in filters for " + std::to_string(seen.speed_keys) +
                     " keys, in batches, all called the same way, the way to another process "
                     "included.";
  if (!report.processor.empty()) text += " Processor: " + report.processor + ".";
  text +=
      "\n\n" + row({"", "insert", "absent key", "inserted key"}) + "| --- | ---: | ---: | ---: |\n";
  for (const Speed& speed : seen.speeds) {
    text += speed.failure.empty()
                ? row({speed.name, significant(speed.insert_ns, 3), significant(speed.absent_ns, 3),
                       significant(speed.inserted_ns, 3)})
                : row({speed.name, "-", "-", speed.failure});
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
      continue;
    }
    if (check.refused > 0) {
      text += "- " + check.situation + ": without " + std::to_string(check.refused) +
              " keys that the filter fails on\n";
    }
    if (check.lost == 0) {
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

}  // namespace

Json json(const Report& report) {
  const Evidence& seen = report.evidence;
  const Attack& attack = report.attack;
  Json not_measured = list_of(seen.failed, [](const FailedPart& failed) {
    return object("part", failed.part, "error", failed.error);
  });
  for (const std::string& part : seen.untried) {
    not_measured.push_back(object("part", part, "error", "not tried after other failures"));
  }
  return object("$schema", "bloomlab-audit-1", "name", seen.name, "version", seen.version,
                "requested", report.requested, "layout_declared", report.layout_is_declared,
                "holds", report.holds(), "alpha", report.alpha, "failure", seen.failure,
                "not_measured", not_measured, "findings", list_of(report.findings, finding_json),
                "rates", list_of(report.rates, judged_json), "rates_of_all_sizes",
                list_of(report.together, together_json), "bits_reached",
                list_of(seen.bits, bits_json), "false_negative_checks", seen.checks, "twins",
                list_of(seen.twins, twins_json), "memory", report.memory, "seeds", seen.seeds,
                "repeats", seen.repeats, "attack",
                object("keys", attack.keys, "tries", attack.tries, "found_under_one_seed",
                       attack.found, "hold_under_another", attack.hold, "hold_by_chance",
                       attack.hold_by_chance, "rate_of_chosen_keys", attack.chosen_rate),
                "speed",
                object("processor", report.processor, "keys", seen.speed_keys, "ns_per_key",
                       list_of(seen.speeds, speed_json)));
}

std::string page(const Report& report) {
  const Evidence& seen = report.evidence;
  std::string text =
      "# Audit of " + seen.name + (seen.version.empty() ? "" : " " + seen.version) + "\n\n";
  if (seen.never_started) {
    return text + "It could not be queried, and nothing of it is judged: " + seen.failure + ".\n";
  }
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
    for (const Together& load : report.together) {
      text +=
          "\nAll " + std::to_string(load.sizes) + " sizes at " + significant(load.load, 3) +
          " times their keys: " + significant(100.0 * load.excess, 3) +
          " % beside the expected FPR, p by Holm " +
          (load.off ? "**" + significant(load.adjusted, 2) + "**" : significant(load.adjusted, 2)) +
          ".";
    }
    text += "\n";
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
    text += "\n## Who knows the hash\n\n" + attack_text(report);
  }
  if (!seen.speeds.empty()) text += "\n## Speed\n\n" + speed_text(report);
  return text;
}

}  // namespace bloomlab::audit
