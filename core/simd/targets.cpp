#include "core/simd/targets.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace bloomlab::simd {
namespace {

/// Highway's own name of a target, without its version.
std::string target_name(std::int64_t target) { return hwy::TargetName(target); }

void use_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> available_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.push_back(target_name(target));
  }
  return names;
}

std::string chosen_target() { return available_targets().front(); }

ForcedTarget::ForcedTarget(std::string_view name) {
  std::string known;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target_name(target) == name) {
      use_targets(target);
      return;
    }
    known += (known.empty() ? "" : ", ") + target_name(target);
  }
  std::string text = "unknown target \"";
  text.append(name).append("\"; this processor has ").append(known);
  throw std::invalid_argument(text);
}

ForcedTarget::~ForcedTarget() { use_targets(0); }

}  // namespace bloomlab::simd
