#include <algorithm>

#include "audit/audit.hpp"

namespace bloomlab::audit {

std::string_view name(Certainty certainty) noexcept {
  switch (certainty) {
    case Certainty::certain:
      return "certain";
    case Certainty::likely:
      return "likely";
    case Certainty::possible:
      break;
  }
  return "possible";
}

bool Report::holds() const {
  return std::ranges::none_of(findings, [](const Finding& f) { return f.breaks_promise; });
}

std::vector<std::string> Report::reasons() const {
  std::vector<std::string> reasons;
  for (const Finding& finding : findings) {
    if (!finding.breaks_promise) continue;
    std::string line = finding.text;
    if (!finding.cause.empty()) {
      line += " Cause (" + std::string(name(finding.certainty)) +
              "): " + std::string(words(finding.kind)) + ": " + finding.cause + ".";
      if (!finding.rivals.empty()) line += " Not excluded: " + finding.rivals + ".";
    }
    reasons.push_back(line);
  }
  return reasons;
}

}  // namespace bloomlab::audit
