// What `bloomlab plan` answers, and its two forms: JSON and text.
#pragma once

#include <string>

#include "analysis/planner/plan.hpp"
#include "record/result_file.hpp"

namespace bloomlab::cli {

/// Everything that the command has found out.
struct PlanAnswer {
  analysis::planner::Plan plan = {};
};

/// n, p, rate, m, k, memory_bits and mode first, then the rest.
[[nodiscard]] record::Json plan_json(const PlanAnswer& answer);

/// The same for people, whole lines.
[[nodiscard]] std::string plan_text(const PlanAnswer& answer);

/// A size in bits as bytes with an IEC prefix, to 8 digits: "22.852562 MiB".
[[nodiscard]] std::string iec_text(std::uint64_t bits);

}  // namespace bloomlab::cli
