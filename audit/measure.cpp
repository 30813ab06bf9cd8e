#include "audit/measure.hpp"

#include <string>

#include "audit/attempt.hpp"
#include "audit/restarting_filter.hpp"

namespace bloomlab::audit {

Layout Examined::layout(std::uint64_t size, std::uint64_t memory_bits) const {
  if (expected) return expected(size, memory_bits);
  return layout_of({{"kind", "standard"}}, size, size, memory_bits);
}

Evidence measure(const Examined& examined, const Plan& plan, const Progress& progress) {
  using Part = void (*)(foreign::ForeignFilter&, const Examined&, const Plan&, Evidence&);
  struct NamedPart {
    std::string_view name;
    Part measure;
  };
  static constexpr NamedPart parts[] = {
      {"keys of every kind", detail::measure_situations},  {"rates", detail::measure_rates},
      {"bits that are reached", detail::measure_bits},     {"lost keys", detail::measure_pattern},
      {"seeds and structured keys", detail::measure_keys}, {"speed", detail::measure_speed},
  };
  Evidence evidence;
  evidence.name = examined.name;
  try {
    detail::RestartingFilter filter(examined);
    evidence.version = filter.description().version;
    evidence.says_deterministic = filter.description().deterministic;
    // What fails here fails at random keys in a small filter, and so everywhere.
    if (progress) progress("an empty filter");
    detail::measure_repeats(filter, examined, plan, evidence);
    for (const NamedPart& part : parts) {
      if (progress) progress(part.name);
      detail::attempted(evidence, std::string(part.name),
                        [&] { part.measure(filter, examined, plan, evidence); });
    }
  } catch (const foreign::Failure& failure) {
    evidence.failure = failure.what();
  }
  return evidence;
}

}  // namespace bloomlab::audit
