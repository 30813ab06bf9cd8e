#include "audit/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "record/number_text.hpp"

namespace bloomlab::audit {
namespace {

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
